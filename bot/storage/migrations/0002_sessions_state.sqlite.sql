-- What everyone in a channel, thread or DM sees (ruling 1).
CREATE TABLE conversations (
    key         TEXT PRIMARY KEY,          -- platform:workspace:id
    platform    TEXT NOT NULL,
    workspace   TEXT NOT NULL,
    id          TEXT NOT NULL,
    place       TEXT NOT NULL,
    title       TEXT NOT NULL DEFAULT '',
    private     INTEGER NOT NULL,
    followed    INTEGER NOT NULL DEFAULT 0,
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL
);

CREATE TABLE messages (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    key           TEXT NOT NULL UNIQUE,     -- the platform event's key, or the outbox key of our own
    conversation  TEXT NOT NULL,
    author        TEXT NOT NULL,            -- person id, or agent:<name>
    author_name   TEXT NOT NULL,
    trust         TEXT NOT NULL,            -- origin as seen from anybody else's session
    addressee     TEXT NOT NULL DEFAULT '', -- person id that our own message answers
    text          TEXT NOT NULL,
    at            TEXT NOT NULL,
    edited_at     TEXT,
    deleted_at    TEXT
);
CREATE INDEX messages_by_conversation ON messages (conversation, id);

-- What one person and the assistant share in one conversation.
CREATE TABLE sessions (
    id             TEXT PRIMARY KEY,
    session_key    TEXT NOT NULL,
    state          TEXT NOT NULL,           -- open | ended
    agent          TEXT NOT NULL,
    role           TEXT NOT NULL,
    epoch          INTEGER NOT NULL,
    opened_at      TEXT NOT NULL,
    last_at        TEXT NOT NULL,
    ended_at       TEXT,
    end_reason     TEXT,
    system         TEXT NOT NULL,           -- JSON, byte-frozen for the epoch
    tools          TEXT NOT NULL,
    unlocked       TEXT NOT NULL DEFAULT '[]',
    active_skills  TEXT NOT NULL DEFAULT '[]',
    untold_facts   TEXT NOT NULL DEFAULT '[]',
    seen_message   INTEGER NOT NULL DEFAULT 0,
    next_seq       INTEGER NOT NULL DEFAULT 0,
    private        INTEGER NOT NULL,
    input_tokens   INTEGER NOT NULL DEFAULT 0,
    output_tokens  INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX one_open_session ON sessions (session_key) WHERE state = 'open';
CREATE INDEX sessions_by_key ON sessions (session_key, opened_at);

CREATE TABLE transcript (
    session_id  TEXT NOT NULL,
    epoch       INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    turn        INTEGER NOT NULL,
    message     TEXT NOT NULL,              -- TranscriptMessage as JSON: blocks with origin and privacy
    PRIMARY KEY (session_id, epoch, seq)
);

-- Sends that a platform has not taken yet; what it took is in the journal's send step and in messages.
CREATE TABLE outbox (
    key           TEXT PRIMARY KEY,
    conversation  TEXT NOT NULL,
    person        TEXT NOT NULL,
    message       TEXT NOT NULL,
    state         TEXT NOT NULL,            -- pending | sent | dropped
    attempts      INTEGER NOT NULL,
    error         TEXT NOT NULL DEFAULT '',
    created_at    TEXT NOT NULL,
    next_try_at   TEXT NOT NULL
);
CREATE INDEX outbox_pending ON outbox (next_try_at) WHERE state = 'pending';

CREATE TABLE attachments (
    turn      INTEGER NOT NULL,
    position  INTEGER NOT NULL,
    name      TEXT NOT NULL,
    mime      TEXT NOT NULL,
    size      INTEGER NOT NULL,
    blob      TEXT NOT NULL,
    PRIMARY KEY (turn, position)
);
