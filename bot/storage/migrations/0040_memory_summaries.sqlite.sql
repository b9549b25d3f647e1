-- One row for each part of a session that is over: its summary, or why there is none.
CREATE TABLE summaries (
    id           TEXT PRIMARY KEY,
    session_id   TEXT NOT NULL,
    epoch        INTEGER NOT NULL,
    person       TEXT NOT NULL,
    role         TEXT NOT NULL,
    agent        TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach        TEXT NOT NULL,             -- dm | private | public: where it was learned
    channel      TEXT NOT NULL,             -- key of that channel, empty for a direct message
    trust        TEXT NOT NULL,             -- the least trusted text that the session had read
    began_at     TEXT NOT NULL,
    ended_at     TEXT NOT NULL,
    significance INTEGER NOT NULL,
    fields       TEXT,                      -- JSON; NULL: nothing is kept of it
    why_not      TEXT NOT NULL DEFAULT '',  -- why nothing is kept
    by_model     INTEGER NOT NULL,
    tools        TEXT NOT NULL DEFAULT '[]',
    logged       INTEGER NOT NULL DEFAULT 0, -- whether its line stands in the file
    distilled_at TEXT,
    UNIQUE (session_id, epoch)
);
-- How many epochs of a session are summarised. Sessions that ended before this was kept are left as they are.
ALTER TABLE sessions ADD COLUMN summarised_epoch INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET summarised_epoch = epoch - (state = 'open');
CREATE INDEX sessions_to_summarise ON sessions (last_at) WHERE summarised_epoch < epoch - (state = 'open');

CREATE INDEX summaries_by_person ON summaries (person, conversation, ended_at);
CREATE INDEX summaries_undistilled ON summaries (person, agent) WHERE distilled_at IS NULL AND fields IS NOT NULL;
CREATE INDEX summaries_unlogged ON summaries (ended_at) WHERE logged = 0 AND fields IS NOT NULL;
