-- The answers that a person got, the latest first: `remember` looks through them.
CREATE INDEX messages_by_addressee ON messages (addressee, id);
