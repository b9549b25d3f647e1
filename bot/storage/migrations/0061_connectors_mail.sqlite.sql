-- What agents sent by mail: an answer to it belongs to the person who had it sent, and is as private.
CREATE TABLE mail_sent (
    token   TEXT PRIMARY KEY,        -- stands in the address for answers
    owner   TEXT NOT NULL,           -- person id
    mailbox TEXT NOT NULL,           -- address of the agent
    sent_to TEXT NOT NULL,
    subject TEXT NOT NULL,
    reach   TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    sent_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX mail_sent_owner ON mail_sent (owner);

-- What came in. Mail that answers nothing belongs to the mailbox: its owner is empty.
CREATE TABLE mail (
    seq         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    mailbox     TEXT NOT NULL,
    owner       TEXT NOT NULL,
    reach       TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel     TEXT NOT NULL,
    sender      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    text        TEXT NOT NULL,
    received_at TEXT NOT NULL,
    read_at     TEXT
);
CREATE INDEX mail_mailbox ON mail (mailbox, seq);
CREATE INDEX mail_owner ON mail (owner);
