-- Where the platform keeps a message, as in recovery_marks; its conversation may be a thread that was still to come.
ALTER TABLE messages ADD COLUMN place TEXT NOT NULL DEFAULT '';
CREATE INDEX messages_by_place ON messages (place, at) WHERE place <> '';
