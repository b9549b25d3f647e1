-- The tables of mail are the plug-in's own. They are made here as its first file makes them in a new
-- home, and the file counts as applied.
CREATE TABLE mail_sent_before AS SELECT * FROM mail_sent;
DROP TABLE mail_sent;
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
INSERT INTO mail_sent (token, owner, mailbox, sent_to, subject, reach, channel, sent_at)
    SELECT token, owner, mailbox, sent_to, subject, reach, channel, sent_at FROM mail_sent_before;
DROP TABLE mail_sent_before;

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
INSERT INTO mail_received (
    id, mailbox, owner, reach, channel, sender, subject, text, received_at, read_at
)
    SELECT id, mailbox, owner, reach, channel, sender, subject, text, received_at, read_at
    FROM mail;
DROP TABLE mail;

INSERT INTO plugin_migrations (plugin, number, name, digest, statements, applied_at) VALUES (
    'mail',
    1,
    '0001_mail.sql',
    '7bb6e98763a3ecfafe22782b96e4aac27a7a41b405aed82ab06ccd20f36d7cb7',
    '["-- Mail that agents got.\n'
    || 'CREATE TABLE mail_received (\n'
    || '    id TEXT NOT NULL PRIMARY KEY,\n'
    || '    mailbox TEXT NOT NULL,\n'
    || '    owner TEXT NOT NULL,\n'
    || '    reach TEXT NOT NULL CHECK (reach IN (''dm'', ''private'', ''public'')),\n'
    || '    channel TEXT NOT NULL,\n'
    || '    sender TEXT NOT NULL,\n'
    || '    subject TEXT NOT NULL,\n'
    || '    text TEXT NOT NULL,\n'
    || '    received_at TEXT NOT NULL,\n'
    || '    read_at TEXT\n'
    || ');"'
    || ', "CREATE INDEX mail_received_by_mailbox ON mail_received (mailbox, received_at, id);"'
    || ', "CREATE INDEX mail_received_by_owner ON mail_received (owner);"'
    || ', "-- What agents sent by mail: an answer belongs to who had it sent, and is as private.\n'
    || 'CREATE TABLE mail_sent (\n'
    || '    token TEXT NOT NULL PRIMARY KEY,\n'
    || '    owner TEXT NOT NULL,\n'
    || '    mailbox TEXT NOT NULL,\n'
    || '    sent_to TEXT NOT NULL,\n'
    || '    subject TEXT NOT NULL,\n'
    || '    reach TEXT NOT NULL CHECK (reach IN (''dm'', ''private'', ''public'')),\n'
    || '    channel TEXT NOT NULL,\n'
    || '    sent_at TEXT NOT NULL\n'
    || ');"'
    || ', "CREATE INDEX mail_sent_by_owner ON mail_sent (owner);"]',
    to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '+00:00'
);
