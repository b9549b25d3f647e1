-- Todos that the assistant works on by itself.
ALTER TABLE todos ADD COLUMN assigned INTEGER NOT NULL DEFAULT 0;
