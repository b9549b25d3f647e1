-- What an agent does when something happens. When its next run is due stands in schedules, found by its session.
CREATE TABLE automations (
    ref          TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,                     -- person id
    slug         TEXT NOT NULL,                     -- of its path, /automations/triggers/<slug>.md
    text         TEXT NOT NULL,                     -- the file
    event        TEXT NOT NULL,                     -- what starts it
    watches      TEXT NOT NULL DEFAULT '',          -- key of the channel whose events start it
    workspace    TEXT NOT NULL,                     -- platform:workspace in which it was made
    session      TEXT NOT NULL UNIQUE,              -- of its ticks
    envelope     TEXT NOT NULL,                     -- JSON: the message with which it was made
    conversation TEXT NOT NULL,                     -- where it was made
    reach        TEXT NOT NULL,                     -- who can read where it was made
    channel      TEXT NOT NULL,
    origin       TEXT NOT NULL,                     -- JSON: how far the text is trusted
    enabled      INTEGER NOT NULL DEFAULT 1,
    paused_why   TEXT NOT NULL DEFAULT '',
    failures     INTEGER NOT NULL DEFAULT 0,        -- in a row
    shown_at     TEXT,                              -- when the watched channel was told of it
    looked_at    TEXT,                              -- up to when sources were asked what happened
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL
);
CREATE INDEX automations_by_owner ON automations (owner, slug);
CREATE INDEX automations_by_event ON automations (event, watches) WHERE enabled = 1;

-- What happened to a trigger; turn is NULL until a run takes it.
CREATE TABLE automation_events (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    automation TEXT NOT NULL,
    key        TEXT NOT NULL,                       -- names the event for ever
    at         TEXT NOT NULL,
    text       TEXT NOT NULL,                       -- empty where so many wait that it is only counted
    origin     TEXT NOT NULL,                       -- JSON
    turn       INTEGER,
    UNIQUE (automation, key)
);
CREATE INDEX automation_events_waiting ON automation_events (automation, seq) WHERE turn IS NULL;
CREATE INDEX automation_events_by_age ON automation_events (at) WHERE turn IS NOT NULL;

-- Channels in which a Partner lets automations read and post.
CREATE TABLE automation_channels (
    channel    TEXT PRIMARY KEY,                    -- platform:workspace:channel
    allowed_by TEXT NOT NULL,                       -- person id
    allowed_at TEXT NOT NULL
);
