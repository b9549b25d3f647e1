-- What a person asked to be done later, or again and again. When it is due stands in schedules, found by its session.
CREATE TABLE scheduled_tasks (
    ref          TEXT PRIMARY KEY,
    session      TEXT NOT NULL UNIQUE,              -- of its ticks, and of its row in schedules
    owner        TEXT NOT NULL,                     -- person id
    name         TEXT NOT NULL,
    prompt       TEXT NOT NULL,
    conversation TEXT NOT NULL,                     -- where it was made, and where its answers go
    private      INTEGER NOT NULL,                  -- made where only its owner reads
    origin       TEXT NOT NULL,                     -- JSON: how far the prompt is trusted
    failures     INTEGER NOT NULL DEFAULT 0,        -- in a row
    paused_why   TEXT NOT NULL DEFAULT '',
    created_at   TEXT NOT NULL
);
CREATE INDEX scheduled_tasks_by_owner ON scheduled_tasks (owner);

-- One row for each time that a schedule came due: what became of it.
CREATE TABLE schedule_ticks (
    schedule    INTEGER NOT NULL,
    due         TEXT NOT NULL,
    turn        INTEGER,                            -- NULL: folded into the one that was still at work
    state       TEXT NOT NULL,                      -- claimed | running | done | failed | stopped | skipped | folded
    detail      TEXT NOT NULL DEFAULT '',
    claimed_at  TEXT NOT NULL,
    ran_at      TEXT,
    ended_at    TEXT,
    posted_at   TEXT,                               -- its answer is visible
    PRIMARY KEY (schedule, due)
) WITHOUT ROWID;
CREATE INDEX schedule_ticks_by_turn ON schedule_ticks (turn);
CREATE INDEX schedules_by_due ON schedules (next_due) WHERE next_due IS NOT NULL AND paused = 0;
CREATE INDEX schedules_by_session ON schedules (session);
