CREATE INDEX messages_by_author ON messages (author, conversation);
