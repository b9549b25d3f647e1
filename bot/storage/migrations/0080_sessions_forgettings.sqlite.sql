-- What somebody wants forgotten everywhere: asked (they saw the counts), at work, or only the files are left to rewrite.
-- The words go with the last step that needs them.
CREATE TABLE forgettings (
    ref    TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    words  TEXT NOT NULL,
    state  TEXT NOT NULL,     -- asked | running | rewriting
    at     TEXT NOT NULL
);
