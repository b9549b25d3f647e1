-- Reminders that one member set for another. The reminder itself is a todo of the receiver.
CREATE TABLE member_reminders (
    todo       TEXT PRIMARY KEY,
    setter     TEXT NOT NULL,                      -- person id
    receiver   TEXT NOT NULL,                      -- person id
    setter_name   TEXT NOT NULL,
    receiver_name TEXT NOT NULL,
    place      TEXT NOT NULL,                      -- JSON: the conversation in which it was set
    due        TEXT NOT NULL,
    zone       TEXT NOT NULL,                      -- of the setter
    state      TEXT NOT NULL CHECK (state IN ('asking', 'set', 'delivered', 'undelivered', 'refused', 'stopped')),
    created_at TEXT NOT NULL
);
CREATE INDEX member_reminders_by_receiver ON member_reminders (receiver, setter);
CREATE INDEX member_reminders_by_setter ON member_reminders (setter, created_at);

-- What somebody said about reminders that others set for them; no row: the default.
CREATE TABLE remindme_choices (
    person TEXT PRIMARY KEY,
    choice TEXT NOT NULL CHECK (choice IN ('on', 'off', 'ask'))
);
