-- What somebody was last shown of a staged tool or skill (owner: sessions): approving it binds to that.
CREATE TABLE shown_contents (
    person   TEXT NOT NULL,
    name     TEXT NOT NULL,
    content  TEXT NOT NULL,      -- hash of the staged files
    PRIMARY KEY (person, name)
) WITHOUT ROWID;
