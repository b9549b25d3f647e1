-- Polls that somebody had posted and that have not ended.
CREATE TABLE polls_open (
    key TEXT PRIMARY KEY,  -- platform:message
    owner TEXT NOT NULL,  -- person id
    asked_in TEXT NOT NULL,  -- the conversation that learns how it ends
    agent TEXT NOT NULL,
    place TEXT NOT NULL,  -- JSON: the conversation in which it stands
    trust TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    made_at TEXT NOT NULL
);
CREATE INDEX polls_by_owner ON polls_open (owner);
CREATE INDEX polls_by_conversation ON polls_open (asked_in, made_at);
CREATE INDEX polls_by_end ON polls_open (ends_at);
