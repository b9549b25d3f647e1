-- Messages that a platform shows while a turn writes its answer: what a crash leaves of them is taken away at the start.
CREATE TABLE open_drafts (
    id        TEXT PRIMARY KEY,             -- random
    platform  TEXT NOT NULL,
    channel   TEXT NOT NULL,
    thread    TEXT NOT NULL,
    answers   TEXT NOT NULL,                -- the message that is answered
    message   TEXT NOT NULL                 -- the draft itself; empty until the platform has said how it is called
) WITHOUT ROWID;
