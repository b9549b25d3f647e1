-- Everything that was accepted, one row each: messages, answers, due work, ticks of schedules.
CREATE TABLE inbox (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,  -- order of acceptance, never given twice: references are made of it
    session      TEXT NOT NULL,
    key          TEXT NOT NULL UNIQUE,               -- of the event, so that none is answered twice
    body         TEXT NOT NULL,                      -- JSON object
    due          TEXT,                               -- not before this moment (due work, and the wait before a retry)
    state        TEXT NOT NULL,  -- new | running | ready (begun, goes on) | waiting (for a person) | done | joined | failed | recorded
    attempts     INTEGER NOT NULL DEFAULT 0,         -- begun and not excused (a question or a drain is excused)
    stop         INTEGER NOT NULL DEFAULT 0,         -- a person wants it to end
    error        TEXT,                               -- why the last attempt failed
    joined_to    INTEGER,                            -- the turn that took this message as steering or as its answer
    accepted_at  TEXT NOT NULL,
    settled_at   TEXT                                -- NULL as long as there is something to do
);
CREATE INDEX inbox_open ON inbox (session, id) WHERE settled_at IS NULL;
CREATE INDEX inbox_settled ON inbox (settled_at) WHERE settled_at IS NOT NULL;

-- What a turn has done so far, addressed by key.
CREATE TABLE steps (
    turn   INTEGER NOT NULL,
    key    TEXT NOT NULL,
    state  TEXT NOT NULL,                            -- started | done
    value  TEXT,                                     -- JSON, once done
    PRIMARY KEY (turn, key)
) WITHOUT ROWID;

-- Who may write steps of a session. The epoch grows with each take-over.
CREATE TABLE claims (
    session  TEXT PRIMARY KEY,
    owner    TEXT NOT NULL,
    epoch    INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE questions (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    turn          INTEGER NOT NULL,
    step          TEXT NOT NULL,
    session       TEXT NOT NULL,
    conversation  TEXT NOT NULL,                     -- where the answer is expected
    person        TEXT NOT NULL,                     -- who may answer
    text          TEXT NOT NULL,
    options       TEXT NOT NULL,                     -- JSON array of strings
    state         TEXT NOT NULL,                     -- open | answered | dropped
    asked_at      TEXT NOT NULL,
    closed_at     TEXT
);
CREATE INDEX questions_open ON questions (conversation, person) WHERE state = 'open';
CREATE INDEX questions_by_turn ON questions (turn);

CREATE TABLE schedules (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    session     TEXT NOT NULL,
    body        TEXT NOT NULL,                       -- JSON object: the body of each tick
    cron        TEXT,                                -- five fields, NULL for a one-off
    zone        TEXT NOT NULL,                       -- name of the time zone in which cron is read
    next_due    TEXT,                                -- NULL when nothing will come any more
    paused      INTEGER NOT NULL DEFAULT 0,
    created_at  TEXT NOT NULL
);
