-- Mail that agents got.
CREATE TABLE mail_received (
    id TEXT NOT NULL PRIMARY KEY,
    mailbox TEXT NOT NULL,
    owner TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    sender TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    received_at TEXT NOT NULL,
    read_at TEXT
);
CREATE INDEX mail_received_by_mailbox ON mail_received (mailbox, received_at, id);
CREATE INDEX mail_received_by_owner ON mail_received (owner);

-- What agents sent by mail: an answer belongs to who had it sent, and is as private.
CREATE TABLE mail_sent (
    token TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    mailbox TEXT NOT NULL,
    sent_to TEXT NOT NULL,
    subject TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    sent_at TEXT NOT NULL
);
CREATE INDEX mail_sent_by_owner ON mail_sent (owner);
