-- What was said before counts as said by the session of the person whom it answers.
ALTER TABLE messages ADD COLUMN beside INTEGER NOT NULL DEFAULT 0;
