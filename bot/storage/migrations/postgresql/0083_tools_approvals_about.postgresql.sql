-- What a call means in words, for its card: what it does, and the names of what it acts on.
ALTER TABLE approvals ADD COLUMN about TEXT NOT NULL DEFAULT '{}';
