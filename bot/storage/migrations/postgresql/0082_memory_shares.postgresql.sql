-- Who has shared an entry of shared memory, so that they can take it back.
CREATE TABLE shares (
    ref TEXT COLLATE "C" PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    workspace TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL
);
