-- Notes on two boards (seed 1, requirements ruling 28): the person's own, and the workspace of an agent.
-- owner is the person the note belongs to or, on an agent's board, for whom it was written.
CREATE TABLE notes (
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
    private INTEGER NOT NULL,
    origin TEXT NOT NULL
);
CREATE INDEX notes_by_owner ON notes (owner, board);
CREATE INDEX notes_by_agent ON notes (agent, board);
