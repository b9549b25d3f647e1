-- By which words something was forgotten while a session was there: a turn that ran then may still save it.
CREATE TABLE forgotten_words (
    session_id TEXT NOT NULL,
    at         TEXT NOT NULL,
    words      TEXT NOT NULL,                   -- JSON: lists of stems; or "all"
    PRIMARY KEY (session_id, at, words)
) WITHOUT ROWID;

-- Facts now go with their session.
DELETE FROM known_facts WHERE session_id NOT IN (SELECT id FROM sessions);
