-- A file about each person; nobody's own (owner '') if it was made of a public profile.
CREATE TABLE people_files (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,  -- never changes
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    other_names TEXT NOT NULL DEFAULT '[]',  -- JSON
    title TEXT NOT NULL DEFAULT '',
    timezone TEXT NOT NULL DEFAULT '',
    by_hand TEXT NOT NULL DEFAULT '[]',  -- JSON: fields that a profile doesn't change any more
    asked_at TEXT,  -- when their profile was read
    forgotten_at TEXT,  -- when they asked that no file be kept about them
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL
);
CREATE INDEX people_files_by_owner ON people_files (owner);

-- What was noted in such a file.
CREATE TABLE people_remarks (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    about TEXT NOT NULL,
    owner TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL
);
CREATE INDEX people_remarks_by_file ON people_remarks (about, created_at);
CREATE INDEX people_remarks_by_owner ON people_remarks (owner);

-- Which file is about an account.
CREATE TABLE people_accounts (
    person TEXT PRIMARY KEY,
    about TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX people_accounts_by_file ON people_accounts (about);

-- Former names of files about people, of files that became one.
CREATE TABLE people_slugs (
    slug TEXT PRIMARY KEY,
    about TEXT NOT NULL
) WITHOUT ROWID;

-- Files of which somebody said that they are about two people.
CREATE TABLE people_apart (
    one TEXT NOT NULL,
    other TEXT NOT NULL,
    PRIMARY KEY (one, other)
) WITHOUT ROWID;
