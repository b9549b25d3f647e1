-- Calls that wait for somebody's yes (design §3.6, ruling 8).
CREATE TABLE approvals (
    ref            TEXT PRIMARY KEY,       -- a and base-32
    session        TEXT NOT NULL,          -- session key, as the turn engine has it
    person         TEXT NOT NULL,          -- who asked for it
    agent          TEXT NOT NULL,
    tool           TEXT NOT NULL,
    arguments      TEXT NOT NULL,          -- JSON, in the order in which the model wrote it
    risk           TEXT,
    reason         TEXT NOT NULL,
    approver_rank  INTEGER NOT NULL,       -- 0: the person themself
    state          TEXT NOT NULL,          -- open | approved | rejected | expired | done
    private        INTEGER NOT NULL,
    conversation   TEXT NOT NULL,
    envelope       TEXT NOT NULL,          -- JSON: the message that led to it
    asked_at       TEXT NOT NULL,
    expires_at     TEXT NOT NULL,
    decided_by     TEXT,
    decided_at     TEXT
);
CREATE INDEX approvals_open ON approvals (expires_at) WHERE state = 'open';
CREATE INDEX approvals_by_session ON approvals (session, state);

-- Who did or tried what: refusals for lack of role, decisions, changes of tools and grants.
CREATE TABLE audit (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      TEXT NOT NULL,
    person  TEXT NOT NULL,
    kind    TEXT NOT NULL,                 -- security | approved | rejected | expired
    tool    TEXT NOT NULL,
    detail  TEXT NOT NULL DEFAULT ''
);
CREATE INDEX audit_by_time ON audit (at);
