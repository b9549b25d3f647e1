-- What people told Bellhop to know (seed 3). content_key is the folded content: the same thing is stored once.
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
    private INTEGER NOT NULL,
    origin TEXT NOT NULL,
    UNIQUE (owner, content_key)
);
-- rowid is the entry's seq; body is bot.storage.fulltext.index_text of its content.
CREATE VIRTUAL TABLE knowledge_entries_text USING fts5 (body, tokenize = 'porter unicode61 remove_diacritics 2');
