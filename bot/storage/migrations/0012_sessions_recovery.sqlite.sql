-- How far the history of each channel, thread and direct conversation was heard: what a restart goes on from.
CREATE TABLE recovery_marks (
    place      TEXT PRIMARY KEY,            -- key of the Conversation where the platform keeps the messages
    platform   TEXT NOT NULL,
    workspace  TEXT NOT NULL,
    id         TEXT NOT NULL,
    kind       TEXT NOT NULL,               -- dm | channel | thread
    position   TEXT NOT NULL,               -- the newest message heard there, in the platform's words
    heard_at   TEXT NOT NULL                -- when that was written
);
CREATE INDEX recovery_marks_by_time ON recovery_marks (platform, heard_at);

-- Catch-ups that are under way.
CREATE TABLE recoveries (
    platform   TEXT PRIMARY KEY,
    floor      TEXT NOT NULL                -- until then places without a mark were heard
);

-- Messages of before that were not answered and of which nobody was told yet.
CREATE TABLE unanswered (
    place      TEXT PRIMARY KEY,
    platform   TEXT NOT NULL,
    workspace  TEXT NOT NULL,
    id         TEXT NOT NULL,
    kind       TEXT NOT NULL,
    messages   INTEGER NOT NULL,
    person     TEXT NOT NULL,               -- who wrote the last of them
    newest     TEXT NOT NULL                -- its key
);
