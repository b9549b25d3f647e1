-- KnownFacts: what agents found out during a session (seed 1, "Working Memory"); dropped with the session.
CREATE TABLE known_facts (
    session_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fact TEXT NOT NULL,
    history TEXT NOT NULL DEFAULT '[]',
    updated_at TEXT NOT NULL,
    PRIMARY KEY (session_id, key)
);
