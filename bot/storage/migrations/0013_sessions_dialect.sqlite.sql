-- How the transcript declares tools and notes; a session of another dialect is not continued. Empty: unknown.
ALTER TABLE sessions ADD COLUMN dialect TEXT NOT NULL DEFAULT '';
