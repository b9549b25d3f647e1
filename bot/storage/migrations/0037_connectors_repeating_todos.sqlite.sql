-- Todos that come back: a cron expression, and the time zone that it and the due date were said in.
ALTER TABLE todos ADD COLUMN repeats TEXT;
ALTER TABLE todos ADD COLUMN zone TEXT NOT NULL DEFAULT 'UTC';
