-- One-time codes with which an owner names themself in a chat, and wrong ones that were tried.
CREATE TABLE claim_codes (
    hash        TEXT PRIMARY KEY,
    operator    TEXT NOT NULL,              -- name at the terminal of who was shown the code; may be empty
    expires_at  TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE claim_tries (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    sender      TEXT NOT NULL,              -- as their platform knows them
    at          TEXT NOT NULL
);
