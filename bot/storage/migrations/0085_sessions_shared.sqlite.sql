-- Whether people of other companies could read the place when the session opened.
ALTER TABLE sessions ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
