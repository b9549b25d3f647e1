-- People: a file about each. One that was made of a public profile is nobody's own (owner '') and for all members; one that was
-- made by hand belongs to who made it, and is seen where it was made.
CREATE TABLE people (
    id           TEXT PRIMARY KEY,
    slug         TEXT NOT NULL UNIQUE,       -- never changes
    owner        TEXT NOT NULL,
    name         TEXT NOT NULL,
    other_names  TEXT NOT NULL DEFAULT '[]', -- JSON
    title        TEXT NOT NULL DEFAULT '',
    timezone     TEXT NOT NULL DEFAULT '',
    by_hand      TEXT NOT NULL DEFAULT '[]', -- JSON: fields that a profile doesn't change any more
    asked_at     TEXT,                       -- when their profile was read
    forgotten_at TEXT,                       -- when they asked that no file be kept about them
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    agent        TEXT NOT NULL,
    session      TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach        TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel      TEXT NOT NULL DEFAULT '',
    origin       TEXT NOT NULL
);

-- Under which person ids somebody writes.
CREATE TABLE people_accounts (
    person TEXT PRIMARY KEY,
    about  TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX people_accounts_by_file ON people_accounts (about);

-- Names that files had before they were merged into another.
CREATE TABLE people_slugs (
    slug  TEXT PRIMARY KEY,
    about TEXT NOT NULL
) WITHOUT ROWID;

-- Pairs that somebody said to be two people; the smaller id comes first.
CREATE TABLE people_apart (
    one   TEXT NOT NULL,
    other TEXT NOT NULL,
    PRIMARY KEY (one, other)
) WITHOUT ROWID;

-- What people noted about somebody, a line each.
CREATE TABLE people_notes (
    id           TEXT PRIMARY KEY,
    about        TEXT NOT NULL,
    owner        TEXT NOT NULL,
    text         TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    agent        TEXT NOT NULL,
    session      TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach        TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel      TEXT NOT NULL DEFAULT '',
    origin       TEXT NOT NULL
);
CREATE INDEX people_notes_by_file ON people_notes (about, created_at);
CREATE INDEX people_notes_by_owner ON people_notes (owner);
