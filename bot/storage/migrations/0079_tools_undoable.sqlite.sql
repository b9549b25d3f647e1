-- Changes of a person's own things that they can take back for an hour, each with the statements
-- that do so. These are rejected if the thing was changed since.
CREATE TABLE undoable (
    id        INTEGER PRIMARY KEY,
    person    TEXT NOT NULL,
    reach     TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel   TEXT NOT NULL DEFAULT '',
    turn      INTEGER NOT NULL,
    noun      TEXT NOT NULL,
    done      TEXT NOT NULL,
    name      TEXT NOT NULL,
    back      TEXT NOT NULL,                    -- JSON: statement, parameters, rows
    told      INTEGER NOT NULL,
    at        TEXT NOT NULL,
    undone_at TEXT
);
CREATE INDEX undoable_of_person ON undoable (person, at);
CREATE INDEX undoable_of_turn ON undoable (turn) WHERE told = 1;
CREATE INDEX undoable_by_time ON undoable (at);
