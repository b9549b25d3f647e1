-- Most messages answer nobody, and nobody looks for these: they need no entry.
DROP INDEX messages_by_addressee;
CREATE INDEX messages_by_addressee ON messages (addressee, id) WHERE addressee <> '';
