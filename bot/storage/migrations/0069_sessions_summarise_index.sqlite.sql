-- The same index in words that PostgreSQL knows, too: there a comparison is no number.
DROP INDEX sessions_to_summarise;
CREATE INDEX sessions_to_summarise ON sessions (last_at)
    WHERE summarised_epoch < CASE WHEN state = 'open' THEN epoch - 1 ELSE epoch END;
