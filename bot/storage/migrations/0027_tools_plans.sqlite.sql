-- Calls that a plan card was approved for (owner: tools). Each may be made once, exactly as it was shown.
CREATE TABLE plan_lines (
    approval     TEXT NOT NULL,
    line         INTEGER NOT NULL,       -- from 1, as on the card
    person       TEXT NOT NULL,
    session_id   TEXT NOT NULL,          -- the instance of the session that asked
    agent        TEXT NOT NULL,
    tool         TEXT NOT NULL,
    arguments    TEXT NOT NULL,          -- JSON, compared byte for byte
    valid_until  TEXT NOT NULL,
    used_by      TEXT NOT NULL DEFAULT '',  -- the call that took it: made again after a crash, it is the same one
    PRIMARY KEY (approval, line)
) WITHOUT ROWID;
CREATE INDEX plan_lines_of_session ON plan_lines (person, session_id, tool);
