-- Notes on two boards: the person's own, and the workspace of an agent.
CREATE TABLE notes_kept (
    id TEXT PRIMARY KEY,
    board TEXT NOT NULL CHECK (board IN ('user', 'agent')),
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL DEFAULT '',
    due TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    origin TEXT NOT NULL,
    reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT ''
);
CREATE INDEX notes_by_owner ON notes_kept (owner, board);
CREATE INDEX notes_by_agent ON notes_kept (agent, board);
