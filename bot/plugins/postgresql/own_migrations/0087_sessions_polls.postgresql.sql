-- Polls that somebody had posted and that have not ended.
CREATE TABLE polls (
    key TEXT COLLATE "C" PRIMARY KEY,
    owner TEXT COLLATE "C" NOT NULL,
    asked_in TEXT COLLATE "C" NOT NULL,
    agent TEXT COLLATE "C" NOT NULL,
    place TEXT COLLATE "C" NOT NULL,
    trust TEXT COLLATE "C" NOT NULL,
    ends_at TEXT COLLATE "C" NOT NULL,
    made_at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX polls_by_conversation ON polls (asked_in, made_at);
CREATE INDEX polls_by_end ON polls (ends_at);
