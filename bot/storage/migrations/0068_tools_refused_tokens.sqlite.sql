-- A workspace's token of .env that its service takes no more, by its hash; another token there counts as good again.
CREATE TABLE refused_tokens (
    service TEXT NOT NULL PRIMARY KEY,
    token_hash TEXT NOT NULL,
    refused_at TEXT NOT NULL
);
