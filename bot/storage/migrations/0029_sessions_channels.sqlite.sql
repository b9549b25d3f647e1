-- What platforms said of channels (a thread is its channel), for rules about places.
CREATE TABLE channels (
    key          TEXT PRIMARY KEY,             -- platform:workspace:channel
    category     TEXT NOT NULL,
    visibility   TEXT NOT NULL,                -- private, public, or empty: not known
    was_private  INTEGER NOT NULL,             -- at some time: what is limited there stays limited when it becomes public
    seen_at      TEXT NOT NULL                 -- when this was noticed
) WITHOUT ROWID;
