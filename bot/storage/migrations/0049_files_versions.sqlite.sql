-- Earlier texts of documents, numbered by path; bot/files/store.py keeps the last ones of each.
CREATE TABLE file_versions (
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('person', 'workspace')),
    owner      TEXT NOT NULL,
    path       TEXT NOT NULL,
    number     INTEGER NOT NULL,
    text       TEXT NOT NULL,
    version    TEXT NOT NULL,
    updated_at TEXT NOT NULL,  -- when this text was written
    updated_by TEXT NOT NULL,
    reach      TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel    TEXT NOT NULL,
    origin     TEXT NOT NULL,
    PRIMARY KEY (owner_kind, owner, path, number)
);
-- Which version of a file a session saw last, so that it does not overwrite what it never saw.
CREATE TABLE seen_files (
    session TEXT NOT NULL,
    path    TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (session, path)
) WITHOUT ROWID;
