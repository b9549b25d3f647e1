-- Links that /console sent, until they are used or over. The hash is all that is kept of a link.
CREATE TABLE console_links (
    hash TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    found_by TEXT NOT NULL,
    expires_at TEXT NOT NULL
);

-- Browsers that are signed in, by the hash of their cookie.
CREATE TABLE console_sessions (
    hash TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    found_by TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
CREATE INDEX console_sessions_of_person ON console_sessions (person);
