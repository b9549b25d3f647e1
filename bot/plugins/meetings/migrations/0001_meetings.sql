-- Meetings. Reach and channel say where one was made, and so who sees it.
CREATE TABLE meetings_kept (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    day TEXT NOT NULL,  -- YYYY-MM-DD, in the zone of who made it
    slug TEXT NOT NULL,  -- never changes
    title TEXT NOT NULL,
    starts_at TEXT,  -- UTC; NULL where only the day is known
    people TEXT NOT NULL DEFAULT '[]',  -- JSON: names as they were given
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL,
    UNIQUE (day, slug)
);
CREATE INDEX meetings_by_start ON meetings_kept (starts_at) WHERE starts_at IS NOT NULL;
CREATE INDEX meetings_by_owner ON meetings_kept (owner);

-- The texts of meetings.
CREATE TABLE meetings_texts (
    seq INTEGER PRIMARY KEY,
    meeting TEXT NOT NULL,  -- the id of its meeting
    name TEXT NOT NULL CHECK (name IN ('transcript', 'summary', 'notes')),
    text TEXT NOT NULL,
    version TEXT NOT NULL,
    origin TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    updated_by TEXT NOT NULL,
    UNIQUE (meeting, name)
);

-- The words of these texts.
CREATE VIRTUAL TABLE meetings_words USING fts5 (
    body, tokenize = 'porter unicode61 remove_diacritics 2'
);
