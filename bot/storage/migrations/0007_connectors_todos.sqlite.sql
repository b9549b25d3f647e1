-- Todos of people (seed 3, requirements ruling 13). due_date is a day, or a moment in UTC.
-- agent, session, conversation, private and origin say through whom and where a row was made.
CREATE TABLE todos (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'waiting', 'done', 'dismissed')),
    priority TEXT NOT NULL DEFAULT 'medium' CHECK (priority IN ('low', 'medium', 'high')),
    due_date TEXT,
    waiting_for TEXT NOT NULL DEFAULT '',
    wake_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    completed_at TEXT,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    private INTEGER NOT NULL,
    origin TEXT NOT NULL
);
CREATE INDEX todos_by_owner ON todos (owner, status);
CREATE INDEX todos_by_wake ON todos (wake_at) WHERE wake_at IS NOT NULL;
