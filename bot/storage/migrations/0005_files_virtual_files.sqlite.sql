-- Text files that live in the database: /preferences, /documents, /custom-skills, ... (requirements 1.4).
-- A person's namespace is keyed by the person id; a workspace's by "<platform>:<workspace>".
CREATE TABLE virtual_files (
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('person', 'workspace')),
    owner TEXT NOT NULL,
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    version TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    updated_by TEXT NOT NULL,
    private INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL,
    PRIMARY KEY (owner_kind, owner, path)
);
