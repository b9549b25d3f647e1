-- What people told Bellhop to know. `content_key` is the folded content.
CREATE TABLE knowledge_entries (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    content_key TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('fact', 'preference', 'knowledge', 'note')),
    importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    origin TEXT NOT NULL,
    reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    UNIQUE (owner, content_key)
);

-- The words of these entries.
CREATE VIRTUAL TABLE knowledge_entries_text USING fts5 (
    body, tokenize = 'porter unicode61 remove_diacritics 2'
);
