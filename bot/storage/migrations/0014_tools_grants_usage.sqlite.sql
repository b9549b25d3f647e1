-- A yes that holds for more than one call (ruling 8), and what was spent (design §4, owner: tools).
ALTER TABLE approvals ADD COLUMN session_id TEXT NOT NULL DEFAULT '';   -- the session's instance, for "this session"
ALTER TABLE approvals ADD COLUMN targets TEXT NOT NULL DEFAULT '[]';    -- JSON: [field, kind, value] of each target

CREATE TABLE grants (
    ref         TEXT PRIMARY KEY,        -- g and base-32
    person      TEXT NOT NULL,           -- for whom it holds
    tool        TEXT NOT NULL,
    scope       TEXT NOT NULL,           -- session | target
    session_id  TEXT NOT NULL,           -- of a session grant
    targets     TEXT NOT NULL,           -- JSON, of a target grant
    rank        INTEGER NOT NULL,        -- of who said yes: it can stand for no question that wants a higher one
    made_by     TEXT NOT NULL,
    made_at     TEXT NOT NULL,
    approval    TEXT NOT NULL,
    revoked_by  TEXT,
    revoked_at  TEXT
);
CREATE INDEX grants_in_force ON grants (person, tool) WHERE revoked_at IS NULL;

-- One row for each day, person, channel and model; days are those of the setting `timezone` (ruling 34).
CREATE TABLE usage (
    day                 TEXT NOT NULL,   -- YYYY-MM-DD
    person              TEXT NOT NULL,
    channel             TEXT NOT NULL,
    model               TEXT NOT NULL,
    calls               INTEGER NOT NULL,
    input_tokens        INTEGER NOT NULL,
    cache_read_tokens   INTEGER NOT NULL,
    cache_write_tokens  INTEGER NOT NULL,
    output_tokens       INTEGER NOT NULL,
    nano_usd            INTEGER NOT NULL,
    unpriced            INTEGER NOT NULL, -- calls among them whose price is unknown
    PRIMARY KEY (day, person, channel, model)
) WITHOUT ROWID;

CREATE TABLE tool_usage (
    day      TEXT NOT NULL,
    person   TEXT NOT NULL,
    channel  TEXT NOT NULL,
    tool     TEXT NOT NULL,
    calls    INTEGER NOT NULL,
    failed   INTEGER NOT NULL,
    PRIMARY KEY (day, person, channel, tool)
) WITHOUT ROWID;

-- What MasterAdmin added to a budget for one day.
CREATE TABLE budget_extensions (
    day       TEXT NOT NULL,
    budget    TEXT NOT NULL,             -- per_person_day_usd
    subject   TEXT NOT NULL,             -- whose: a person, a channel, or * for all
    approval  TEXT NOT NULL,
    made_by   TEXT NOT NULL,
    PRIMARY KEY (day, budget, subject, approval)
) WITHOUT ROWID;
