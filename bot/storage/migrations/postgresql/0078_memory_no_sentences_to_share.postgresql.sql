-- Nothing is shared by a pattern any more.
ALTER TABLE summaries DROP COLUMN to_share;
