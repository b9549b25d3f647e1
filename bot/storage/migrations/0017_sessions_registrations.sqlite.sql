-- The commands that a platform has been told of: a restart registers nothing anew that is there already.
CREATE TABLE registrations (
    scope      TEXT PRIMARY KEY,            -- platform and, where it has them, the workspace
    record     TEXT NOT NULL                -- JSON, in the platform's own terms
);
