-- What the provider counted for the last request and reply of the epoch; 0: unknown (a new epoch is due by this).
ALTER TABLE sessions ADD COLUMN context_tokens INTEGER NOT NULL DEFAULT 0;
