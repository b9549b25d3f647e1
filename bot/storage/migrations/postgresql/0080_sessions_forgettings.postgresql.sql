-- What somebody wants forgotten everywhere: asked (they saw the counts), at work, or only the files are left to rewrite.
-- The words go with the last step that needs them.
CREATE TABLE forgettings (
    ref    TEXT COLLATE "C" PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    words  TEXT COLLATE "C" NOT NULL,
    state  TEXT COLLATE "C" NOT NULL,
    at     TEXT COLLATE "C" NOT NULL
);
