-- What the 85 migrations before the first schema file made of an empty SQLite file.
CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, applied_at TEXT NOT NULL);
CREATE TABLE inbox (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,  -- order of acceptance, never given twice: references are made of it
    session      TEXT NOT NULL,
    key          TEXT NOT NULL UNIQUE,               -- of the event, so that none is answered twice
    body         TEXT NOT NULL,                      -- JSON object
    due          TEXT,                               -- not before this moment (due work, and the wait before a retry)
    state        TEXT NOT NULL,  -- new | running | ready (begun, goes on) | waiting (for a person) | done | joined | failed | recorded
    attempts     INTEGER NOT NULL DEFAULT 0,         -- begun and not excused (a question or a drain is excused)
    stop         INTEGER NOT NULL DEFAULT 0,         -- a person wants it to end
    error        TEXT,                               -- why the last attempt failed
    joined_to    INTEGER,                            -- the turn that took this message as steering or as its answer
    accepted_at  TEXT NOT NULL,
    settled_at   TEXT                                -- NULL as long as there is something to do
, deaths INTEGER NOT NULL DEFAULT 0, trial INTEGER NOT NULL DEFAULT 0);
CREATE INDEX inbox_open ON inbox (session, id) WHERE settled_at IS NULL;
CREATE INDEX inbox_settled ON inbox (settled_at) WHERE settled_at IS NOT NULL;
CREATE TABLE steps (
    turn   INTEGER NOT NULL,
    key    TEXT NOT NULL,
    state  TEXT NOT NULL,                            -- started | done
    value  TEXT,                                     -- JSON, once done
    PRIMARY KEY (turn, key)
) WITHOUT ROWID;
CREATE TABLE claims (
    session  TEXT PRIMARY KEY,
    owner    TEXT NOT NULL,
    epoch    INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE questions (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    turn          INTEGER NOT NULL,
    step          TEXT NOT NULL,
    session       TEXT NOT NULL,
    conversation  TEXT NOT NULL,                     -- where the answer is expected
    person        TEXT NOT NULL,                     -- who may answer
    text          TEXT NOT NULL,
    options       TEXT NOT NULL,                     -- JSON array of strings
    state         TEXT NOT NULL,                     -- open | answered | dropped
    asked_at      TEXT NOT NULL,
    closed_at     TEXT
);
CREATE INDEX questions_open ON questions (conversation, person) WHERE state = 'open';
CREATE INDEX questions_by_turn ON questions (turn);
CREATE TABLE schedules (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    session     TEXT NOT NULL,
    body        TEXT NOT NULL,                       -- JSON object: the body of each tick
    cron        TEXT,                                -- five fields, NULL for a one-off
    zone        TEXT NOT NULL,                       -- name of the time zone in which cron is read
    next_due    TEXT,                                -- NULL when nothing will come any more
    paused      INTEGER NOT NULL DEFAULT 0,
    created_at  TEXT NOT NULL
);
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
, channel TEXT NOT NULL DEFAULT '');
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
, place TEXT NOT NULL DEFAULT '', aside INTEGER NOT NULL DEFAULT 0);
CREATE INDEX messages_by_conversation ON messages (conversation, id);
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
, context_tokens INTEGER NOT NULL DEFAULT 0, dialect TEXT NOT NULL DEFAULT '', summarised_epoch INTEGER NOT NULL DEFAULT 0, shared INTEGER NOT NULL DEFAULT 0);
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
    blob      TEXT NOT NULL, person TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (turn, position)
);
CREATE TABLE approvals (
    ref            TEXT PRIMARY KEY,       -- a and base-32
    session        TEXT NOT NULL,          -- session key, as the turn engine has it
    person         TEXT NOT NULL,          -- who asked for it
    agent          TEXT NOT NULL,
    tool           TEXT NOT NULL,
    arguments      TEXT NOT NULL,          -- JSON, in the order in which the model wrote it
    risk           TEXT,
    reason         TEXT NOT NULL,
    approver_rank  INTEGER NOT NULL,       -- 0: the person themself
    state          TEXT NOT NULL,          -- open | approved | rejected | expired | done
    private        INTEGER NOT NULL,
    conversation   TEXT NOT NULL,
    envelope       TEXT NOT NULL,          -- JSON: the message that led to it
    asked_at       TEXT NOT NULL,
    expires_at     TEXT NOT NULL,
    decided_by     TEXT,
    decided_at     TEXT
, session_id TEXT NOT NULL DEFAULT '', targets TEXT NOT NULL DEFAULT '[]', stems TEXT NOT NULL DEFAULT '[]', shown TEXT NOT NULL DEFAULT '', bundle TEXT NOT NULL DEFAULT '', about TEXT NOT NULL DEFAULT '{}');
CREATE INDEX approvals_open ON approvals (expires_at) WHERE state = 'open';
CREATE INDEX approvals_by_session ON approvals (session, state);
CREATE TABLE audit (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      TEXT NOT NULL,
    person  TEXT NOT NULL,
    kind    TEXT NOT NULL,                 -- security | approved | rejected | expired
    tool    TEXT NOT NULL,
    detail  TEXT NOT NULL DEFAULT ''
);
CREATE INDEX audit_by_time ON audit (at);
CREATE TABLE virtual_files (
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('person', 'workspace')),
    owner TEXT NOT NULL,
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    version TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    updated_by TEXT NOT NULL,
    origin TEXT NOT NULL, reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')), channel TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (owner_kind, owner, path)
);
CREATE TABLE known_facts (
    session_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fact TEXT NOT NULL,
    history TEXT NOT NULL DEFAULT '[]',
    updated_at TEXT NOT NULL,
    PRIMARY KEY (session_id, key)
);
CREATE TABLE todos (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'waiting', 'done', 'dismissed')),
    priority TEXT NOT NULL DEFAULT 'medium' CHECK (priority IN ('low', 'medium', 'high')),
    due_date TEXT,
    waiting_for TEXT NOT NULL DEFAULT '',
    wake_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    completed_at TEXT,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    origin TEXT NOT NULL
, reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')), channel TEXT NOT NULL DEFAULT '', repeats TEXT, zone TEXT NOT NULL DEFAULT 'UTC', assigned INTEGER NOT NULL DEFAULT 0, slug TEXT NOT NULL DEFAULT '', notes TEXT NOT NULL DEFAULT '', revision INTEGER NOT NULL DEFAULT 1);
CREATE INDEX todos_by_owner ON todos (owner, status);
CREATE INDEX todos_by_wake ON todos (wake_at) WHERE wake_at IS NOT NULL;
CREATE TABLE notes (
    id TEXT PRIMARY KEY,
    board TEXT NOT NULL CHECK (board IN ('user', 'agent')),
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL DEFAULT '',
    due TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    origin TEXT NOT NULL
, reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')), channel TEXT NOT NULL DEFAULT '');
CREATE INDEX notes_by_owner ON notes (owner, board);
CREATE INDEX notes_by_agent ON notes (agent, board);
CREATE TABLE knowledge_entries (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    content_key TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('fact', 'preference', 'knowledge', 'note')),
    importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    origin TEXT NOT NULL, reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')), channel TEXT NOT NULL DEFAULT '',
    UNIQUE (owner, content_key)
);
CREATE VIRTUAL TABLE knowledge_entries_text USING fts5 (body, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE TABLE mcp_servers (
    server TEXT PRIMARY KEY,
    tools TEXT NOT NULL,      -- JSON: [{"name": as models know it, "tool": as the server calls it, "description", "parameters"}]
    listed_at TEXT NOT NULL
);
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
CREATE TABLE recoveries (
    platform   TEXT PRIMARY KEY,
    floor      TEXT NOT NULL                -- until then places without a mark were heard
);
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
CREATE TABLE grants (
    ref         TEXT PRIMARY KEY,        -- g and base-32
    person      TEXT NOT NULL,           -- for whom it holds
    tool        TEXT NOT NULL,
    scope       TEXT NOT NULL,           -- session | target
    session_id  TEXT NOT NULL,           -- of a session grant
    targets     TEXT NOT NULL,           -- JSON, of a target grant
    rank        INTEGER NOT NULL,        -- of who said yes: it can stand for no question that wants a higher one
    made_by     TEXT NOT NULL,
    made_at     TEXT NOT NULL,
    approval    TEXT NOT NULL,
    revoked_by  TEXT,
    revoked_at  TEXT
);
CREATE INDEX grants_in_force ON grants (person, tool) WHERE revoked_at IS NULL;
CREATE TABLE usage (
    day                 TEXT NOT NULL,   -- YYYY-MM-DD
    person              TEXT NOT NULL,
    channel             TEXT NOT NULL,
    model               TEXT NOT NULL,
    calls               INTEGER NOT NULL,
    input_tokens        INTEGER NOT NULL,
    cache_read_tokens   INTEGER NOT NULL,
    cache_write_tokens  INTEGER NOT NULL,
    output_tokens       INTEGER NOT NULL,
    nano_usd            INTEGER NOT NULL,
    unpriced            INTEGER NOT NULL, stranger_calls INTEGER NOT NULL DEFAULT 0, stranger_nano_usd INTEGER NOT NULL DEFAULT 0, handed_calls INTEGER NOT NULL DEFAULT 0, handed_tokens INTEGER NOT NULL DEFAULT 0, handed_nano_usd INTEGER NOT NULL DEFAULT 0, -- calls among them whose price is unknown
    PRIMARY KEY (day, person, channel, model)
) WITHOUT ROWID;
CREATE TABLE tool_usage (
    day      TEXT NOT NULL,
    person   TEXT NOT NULL,
    channel  TEXT NOT NULL,
    tool     TEXT NOT NULL,
    calls    INTEGER NOT NULL,
    failed   INTEGER NOT NULL,
    PRIMARY KEY (day, person, channel, tool)
) WITHOUT ROWID;
CREATE TABLE budget_extensions (
    day       TEXT NOT NULL,
    budget    TEXT NOT NULL,             -- per_person_day_usd
    subject   TEXT NOT NULL,             -- whose: a person, a channel, or * for all
    approval  TEXT NOT NULL,
    made_by   TEXT NOT NULL,
    PRIMARY KEY (day, budget, subject, approval)
) WITHOUT ROWID;
CREATE TABLE registrations (
    scope      TEXT PRIMARY KEY,            -- platform and, where it has them, the workspace
    record     TEXT NOT NULL                -- JSON, in the platform's own terms
);
CREATE TABLE credentials (
    person TEXT NOT NULL,
    service TEXT NOT NULL,
    sealed TEXT NOT NULL,
    stored_at TEXT NOT NULL, lapsed_at TEXT,
    PRIMARY KEY (person, service)
);
CREATE TABLE cards (
    key          TEXT PRIMARY KEY,          -- of the send
    ref          TEXT NOT NULL,             -- the approval, or the turn that asks
    step         TEXT NOT NULL DEFAULT '',  -- of a question: the step that asks it
    message      TEXT NOT NULL,             -- OutgoingMessage as JSON
    receipt      TEXT,                      -- Receipt as JSON; NULL while the outbox keeps the message
    line         TEXT NOT NULL DEFAULT '',  -- how it ended, once an edit was tried in vain
    attempts     INTEGER NOT NULL DEFAULT 0,
    next_try_at  TEXT                       -- of an edit that was tried in vain
, shown TEXT NOT NULL DEFAULT '', reader TEXT NOT NULL DEFAULT '');
CREATE INDEX cards_by_ref ON cards (ref);
CREATE INDEX cards_to_close ON cards (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX messages_by_place ON messages (place, at) WHERE place <> '';
CREATE INDEX attachments_person ON attachments (person);
CREATE TABLE lives (
    after_turn  INTEGER PRIMARY KEY,         -- the last number of the inbox that was given when this life began
    identity    TEXT NOT NULL                -- random
);
CREATE TABLE open_drafts (
    id        TEXT PRIMARY KEY,             -- random
    platform  TEXT NOT NULL,
    channel   TEXT NOT NULL,
    thread    TEXT NOT NULL,
    answers   TEXT NOT NULL,                -- the message that is answered
    message   TEXT NOT NULL                 -- the draft itself; empty until the platform has said how it is called
) WITHOUT ROWID;
CREATE TABLE plan_lines (
    approval     TEXT NOT NULL,
    line         INTEGER NOT NULL,       -- from 1, as on the card
    person       TEXT NOT NULL,
    session_id   TEXT NOT NULL,          -- the instance of the session that asked
    agent        TEXT NOT NULL,
    tool         TEXT NOT NULL,
    arguments    TEXT NOT NULL,          -- JSON, compared byte for byte
    valid_until  TEXT NOT NULL,
    used_by      TEXT NOT NULL DEFAULT '', rank INTEGER NOT NULL DEFAULT 0,  -- the call that took it: made again after a crash, it is the same one
    PRIMARY KEY (approval, line)
) WITHOUT ROWID;
CREATE INDEX plan_lines_of_session ON plan_lines (person, session_id, tool);
CREATE TABLE shown_contents (
    person   TEXT NOT NULL,
    name     TEXT NOT NULL,
    content  TEXT NOT NULL,      -- hash of the staged files
    PRIMARY KEY (person, name)
) WITHOUT ROWID;
CREATE TABLE channels (
    key          TEXT PRIMARY KEY,             -- platform:workspace:channel
    category     TEXT NOT NULL,
    visibility   TEXT NOT NULL,                -- private, public, or empty: not known
    was_private  INTEGER NOT NULL,             -- at some time: what is limited there stays limited when it becomes public
    seen_at      TEXT NOT NULL                 -- when this was noticed
) WITHOUT ROWID;
CREATE INDEX messages_by_author ON messages (author, conversation);
CREATE TABLE claim_codes (
    hash        TEXT PRIMARY KEY,
    operator    TEXT NOT NULL,              -- name at the terminal of who was shown the code; may be empty
    expires_at  TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE claim_tries (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    sender      TEXT NOT NULL,              -- as their platform knows them
    at          TEXT NOT NULL
);
CREATE INDEX approvals_by_person ON approvals (person, tool, asked_at);
CREATE TABLE moved_preferences (person TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE scheduled_tasks (
    ref          TEXT PRIMARY KEY,
    session      TEXT NOT NULL UNIQUE,              -- of its ticks, and of its row in schedules
    owner        TEXT NOT NULL,                     -- person id
    name         TEXT NOT NULL,
    prompt       TEXT NOT NULL,
    conversation TEXT NOT NULL,                     -- where it was made, and where its answers go
    origin       TEXT NOT NULL,                     -- JSON: how far the prompt is trusted
    failures     INTEGER NOT NULL DEFAULT 0,        -- in a row
    paused_why   TEXT NOT NULL DEFAULT '',
    created_at   TEXT NOT NULL
, reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')), channel TEXT NOT NULL DEFAULT '', budget_calls INTEGER, spent_month TEXT NOT NULL DEFAULT '', spent_nano_usd INTEGER NOT NULL DEFAULT 0, spent_calls INTEGER NOT NULL DEFAULT 0);
CREATE INDEX scheduled_tasks_by_owner ON scheduled_tasks (owner);
CREATE TABLE schedule_ticks (
    schedule    INTEGER NOT NULL,
    due         TEXT NOT NULL,
    turn        INTEGER,                            -- NULL: folded into the one that was still at work
    state       TEXT NOT NULL,                      -- claimed | running | done | failed | stopped | skipped | folded
    detail      TEXT NOT NULL DEFAULT '',
    claimed_at  TEXT NOT NULL,
    ran_at      TEXT,
    ended_at    TEXT,
    posted_at   TEXT,                               -- its answer is visible
    PRIMARY KEY (schedule, due)
) WITHOUT ROWID;
CREATE INDEX schedule_ticks_by_turn ON schedule_ticks (turn);
CREATE INDEX schedules_by_due ON schedules (next_due) WHERE next_due IS NOT NULL AND paused = 0;
CREATE INDEX schedules_by_session ON schedules (session);
CREATE TABLE meetings (
    seq          INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    owner        TEXT NOT NULL,
    day          TEXT NOT NULL,              -- YYYY-MM-DD, in the zone of who made it
    slug         TEXT NOT NULL,              -- never changes
    title        TEXT NOT NULL,
    starts_at    TEXT,                       -- UTC; NULL where only the day is known
    people       TEXT NOT NULL DEFAULT '[]', -- JSON: names as they were given
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    agent        TEXT NOT NULL,
    session      TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach        TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel      TEXT NOT NULL DEFAULT '',
    origin       TEXT NOT NULL,
    UNIQUE (day, slug)
);
CREATE INDEX meetings_by_start ON meetings (starts_at) WHERE starts_at IS NOT NULL;
CREATE INDEX meetings_by_owner ON meetings (owner);
CREATE TABLE meeting_texts (
    seq          INTEGER PRIMARY KEY,
    meeting      TEXT NOT NULL,              -- the id of its meeting
    name         TEXT NOT NULL CHECK (name IN ('transcript', 'summary', 'notes')),
    text         TEXT NOT NULL,
    version      TEXT NOT NULL,
    origin       TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    updated_by   TEXT NOT NULL,
    UNIQUE (meeting, name)
);
CREATE VIRTUAL TABLE meeting_texts_text USING fts5 (body, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE TABLE summaries (
    id           TEXT PRIMARY KEY,
    session_id   TEXT NOT NULL,
    epoch        INTEGER NOT NULL,
    person       TEXT NOT NULL,
    role         TEXT NOT NULL,
    agent        TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach        TEXT NOT NULL,             -- dm | private | public: where it was learned
    channel      TEXT NOT NULL,             -- key of that channel, empty for a direct message
    trust        TEXT NOT NULL,             -- the least trusted text that the session had read
    began_at     TEXT NOT NULL,
    ended_at     TEXT NOT NULL,
    significance INTEGER NOT NULL,
    fields       TEXT,                      -- JSON; NULL: nothing is kept of it
    why_not      TEXT NOT NULL DEFAULT '',  -- why nothing is kept
    by_model     INTEGER NOT NULL,
    tools        TEXT NOT NULL DEFAULT '[]',
    logged       INTEGER NOT NULL DEFAULT 0, -- whether its line stands in the file
    distilled_at TEXT,
    UNIQUE (session_id, epoch)
);
CREATE INDEX summaries_by_person ON summaries (person, conversation, ended_at);
CREATE INDEX summaries_undistilled ON summaries (person, agent) WHERE distilled_at IS NULL AND fields IS NOT NULL;
CREATE INDEX summaries_unlogged ON summaries (ended_at) WHERE logged = 0 AND fields IS NOT NULL;
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
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL
);
CREATE INDEX automations_by_owner ON automations (owner, slug);
CREATE INDEX automations_by_event ON automations (event, watches) WHERE enabled = 1;
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
CREATE TABLE automation_channels (
    channel    TEXT PRIMARY KEY,                    -- platform:workspace:channel
    allowed_by TEXT NOT NULL,                       -- person id
    allowed_at TEXT NOT NULL
);
CREATE VIRTUAL TABLE message_words USING fts5 (words, tokenize = 'ascii');
CREATE VIRTUAL TABLE message_terms USING fts5vocab (message_words, 'row');
CREATE TABLE message_words_reached (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    message INTEGER NOT NULL                    -- messages up to this row were read
);
CREATE TABLE message_words_changed (message INTEGER PRIMARY KEY);
CREATE TRIGGER message_words_edited AFTER UPDATE OF text ON messages WHEN old.text IS NOT new.text
BEGIN
    DELETE FROM message_words WHERE rowid = old.id;
    INSERT OR IGNORE INTO message_words_changed VALUES (new.id);
END;
CREATE TRIGGER message_words_deleted AFTER DELETE ON messages
BEGIN
    DELETE FROM message_words WHERE rowid = old.id;
    DELETE FROM message_words_changed WHERE message = old.id;
END;
CREATE UNIQUE INDEX todos_by_slug ON todos (owner, slug) WHERE slug <> '';
CREATE TABLE member_reminders (
    todo       TEXT PRIMARY KEY,
    setter     TEXT NOT NULL,                      -- person id
    receiver   TEXT NOT NULL,                      -- person id
    setter_name   TEXT NOT NULL,
    receiver_name TEXT NOT NULL,
    place      TEXT NOT NULL,                      -- JSON: the conversation in which it was set
    due        TEXT NOT NULL,
    zone       TEXT NOT NULL,                      -- of the setter
    state      TEXT NOT NULL CHECK (state IN ('asking', 'set', 'delivered', 'undelivered', 'refused', 'stopped')),
    created_at TEXT NOT NULL
);
CREATE INDEX member_reminders_by_receiver ON member_reminders (receiver, setter);
CREATE INDEX member_reminders_by_setter ON member_reminders (setter, created_at);
CREATE TABLE remindme_choices (
    person TEXT PRIMARY KEY,
    choice TEXT NOT NULL CHECK (choice IN ('on', 'off', 'ask'))
);
CREATE TABLE people (
    id           TEXT PRIMARY KEY,
    slug         TEXT NOT NULL UNIQUE,       -- never changes
    owner        TEXT NOT NULL,
    name         TEXT NOT NULL,
    other_names  TEXT NOT NULL DEFAULT '[]', -- JSON
    title        TEXT NOT NULL DEFAULT '',
    timezone     TEXT NOT NULL DEFAULT '',
    by_hand      TEXT NOT NULL DEFAULT '[]', -- JSON: fields that a profile doesn't change any more
    asked_at     TEXT,                       -- when their profile was read
    forgotten_at TEXT,                       -- when they asked that no file be kept about them
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    agent        TEXT NOT NULL,
    session      TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach        TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel      TEXT NOT NULL DEFAULT '',
    origin       TEXT NOT NULL
);
CREATE TABLE people_accounts (
    person TEXT PRIMARY KEY,
    about  TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX people_accounts_by_file ON people_accounts (about);
CREATE TABLE people_slugs (
    slug  TEXT PRIMARY KEY,
    about TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE people_apart (
    one   TEXT NOT NULL,
    other TEXT NOT NULL,
    PRIMARY KEY (one, other)
) WITHOUT ROWID;
CREATE TABLE people_notes (
    id           TEXT PRIMARY KEY,
    about        TEXT NOT NULL,
    owner        TEXT NOT NULL,
    text         TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    agent        TEXT NOT NULL,
    session      TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach        TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel      TEXT NOT NULL DEFAULT '',
    origin       TEXT NOT NULL
);
CREATE INDEX people_notes_by_file ON people_notes (about, created_at);
CREATE INDEX people_notes_by_owner ON people_notes (owner);
CREATE TABLE distillations (
    id      INTEGER PRIMARY KEY,
    person  TEXT NOT NULL,
    agent   TEXT NOT NULL,
    sources TEXT NOT NULL,                  -- JSON list: ids of the summaries that were read
    entries TEXT NOT NULL,                  -- JSON list of [tier, line]
    made_at TEXT NOT NULL
);
CREATE TABLE file_versions (
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('person', 'workspace')),
    owner      TEXT NOT NULL,
    path       TEXT NOT NULL,
    number     INTEGER NOT NULL,
    text       TEXT NOT NULL,
    version    TEXT NOT NULL,
    updated_at TEXT NOT NULL,  -- when this text was written
    updated_by TEXT NOT NULL,
    reach      TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel    TEXT NOT NULL,
    origin     TEXT NOT NULL, kept_at TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (owner_kind, owner, path, number)
);
CREATE TABLE seen_files (
    session TEXT NOT NULL,
    path    TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (session, path)
) WITHOUT ROWID;
CREATE TABLE "tool_requests" (
    person  TEXT NOT NULL,
    reach   TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    tool    TEXT NOT NULL,
    words   TEXT NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (person, reach, channel, tool, words)
);
CREATE TABLE memory_passes (
    id        INTEGER PRIMARY KEY,
    at        TEXT NOT NULL,
    asked     INTEGER NOT NULL,               -- by a command, not by the clock
    people    INTEGER NOT NULL,
    summaries INTEGER NOT NULL,               -- that were read
    entries   INTEGER NOT NULL,               -- that came of them
    merged    INTEGER NOT NULL,               -- that said what another says
    archived  INTEGER NOT NULL,               -- that left a tier for the archive
    failed    TEXT NOT NULL DEFAULT '[]'      -- JSON list of [person, why]: their summaries still wait
);
CREATE TABLE memory_choices (
    person     TEXT NOT NULL,                 -- empty: everybody there
    channel    TEXT NOT NULL,                 -- its key; empty: everywhere
    learns     INTEGER NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (person, channel)
);
CREATE TABLE plan_orders (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    turn INTEGER NOT NULL,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    taken INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX plan_orders_turn ON plan_orders (turn);
CREATE TRIGGER plan_orders_purged AFTER DELETE ON inbox
BEGIN
    DELETE FROM plan_orders WHERE turn = old.id;
END;
CREATE TABLE file_pieces (
    id         INTEGER PRIMARY KEY,            -- the row of its words
    owner_kind TEXT NOT NULL,
    owner      TEXT NOT NULL,
    path       TEXT NOT NULL,
    begins     INTEGER NOT NULL                -- after so many characters of the text
);
CREATE INDEX file_pieces_by_file ON file_pieces (owner_kind, owner, path);
CREATE VIRTUAL TABLE file_words USING fts5 (words, tokenize = 'ascii');
CREATE TABLE file_words_unread (
    owner_kind TEXT NOT NULL,
    owner      TEXT NOT NULL,
    path       TEXT NOT NULL,
    reached    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (owner_kind, owner, path)
) WITHOUT ROWID;
CREATE TRIGGER file_words_written AFTER INSERT ON virtual_files
WHEN new.path >= '/documents/' AND new.path < '/documents0'
BEGIN
    INSERT OR IGNORE INTO file_words_unread (owner_kind, owner, path) VALUES (new.owner_kind, new.owner, new.path);
END;
CREATE TRIGGER file_words_changed AFTER UPDATE OF owner_kind, owner, path, text ON virtual_files
BEGIN
    DELETE FROM file_words WHERE rowid IN
        (SELECT id FROM file_pieces WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path);
    DELETE FROM file_pieces WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
    DELETE FROM file_words_unread WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
    INSERT OR IGNORE INTO file_words_unread (owner_kind, owner, path)
        SELECT new.owner_kind, new.owner, new.path WHERE new.path >= '/documents/' AND new.path < '/documents0';
END;
CREATE TRIGGER file_words_deleted AFTER DELETE ON virtual_files
BEGIN
    DELETE FROM file_words WHERE rowid IN
        (SELECT id FROM file_pieces WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path);
    DELETE FROM file_pieces WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
    DELETE FROM file_words_unread WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
END;
CREATE TABLE message_refusals (person TEXT PRIMARY KEY);
CREATE TABLE mail_sent (
    token   TEXT PRIMARY KEY,        -- stands in the address for answers
    owner   TEXT NOT NULL,           -- person id
    mailbox TEXT NOT NULL,           -- address of the agent
    sent_to TEXT NOT NULL,
    subject TEXT NOT NULL,
    reach   TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    sent_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX mail_sent_owner ON mail_sent (owner);
CREATE TABLE mail (
    seq         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    mailbox     TEXT NOT NULL,
    owner       TEXT NOT NULL,
    reach       TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel     TEXT NOT NULL,
    sender      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    text        TEXT NOT NULL,
    received_at TEXT NOT NULL,
    read_at     TEXT
);
CREATE INDEX mail_mailbox ON mail (mailbox, seq);
CREATE INDEX mail_owner ON mail (owner);
CREATE TABLE exported_cycles (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    after_event INTEGER NOT NULL
) STRICT;
CREATE TABLE connection_requests (
    state TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    service TEXT NOT NULL,
    sealed TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;
CREATE TABLE connection_waits (
    id INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    service TEXT NOT NULL,
    session TEXT NOT NULL,
    message TEXT NOT NULL,
    made_at TEXT NOT NULL
) STRICT;
CREATE INDEX connection_waits_person ON connection_waits (person, service);
CREATE TABLE collections (
    name       TEXT PRIMARY KEY,
    roles      TEXT NOT NULL,               -- as in the section Access of a tool file
    created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE collected_documents (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL REFERENCES collections (name),
    owner      TEXT NOT NULL,               -- person id; empty: added at the command line, for everybody whom roles let in
    name       TEXT NOT NULL,
    source     TEXT NOT NULL,               -- where it came from: a path, a URL, or empty
    digest     TEXT NOT NULL,               -- SHA-256 of its bytes
    parts      INTEGER NOT NULL,
    added_at   TEXT NOT NULL,
    reach      TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel    TEXT NOT NULL,
    origin     TEXT NOT NULL
);
CREATE INDEX collected_documents_by_collection ON collected_documents (collection, source);
CREATE INDEX collected_documents_by_owner ON collected_documents (owner);
CREATE TABLE document_parts (
    id       INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES collected_documents (seq),
    place    TEXT NOT NULL,                 -- how it is cited: a heading, a page, lines
    text     TEXT NOT NULL
);
CREATE INDEX document_parts_by_document ON document_parts (document);
CREATE VIRTUAL TABLE document_part_words USING fts5 (words, around, tokenize = 'ascii');
CREATE TABLE document_vectors (
    part       INTEGER PRIMARY KEY,
    model      TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    vector     BLOB NOT NULL                -- float32 of length 1, little-endian
);
CREATE TRIGGER collected_documents_deleted AFTER DELETE ON collected_documents
BEGIN
    DELETE FROM document_parts WHERE document = old.seq;
END;
CREATE TRIGGER document_parts_deleted AFTER DELETE ON document_parts
BEGIN
    DELETE FROM document_part_words WHERE rowid = old.id;
    DELETE FROM document_vectors WHERE part = old.id;
END;
CREATE TABLE forgotten_words (
    session_id TEXT NOT NULL,
    at         TEXT NOT NULL,
    words      TEXT NOT NULL,                   -- JSON: lists of stems; or "all"
    PRIMARY KEY (session_id, at, words)
) WITHOUT ROWID;
CREATE TABLE account_cursors (
    person  TEXT NOT NULL,           -- person id
    account TEXT NOT NULL,           -- `google`, `outlook`
    kind    TEXT NOT NULL,           -- the event that was looked for
    cursor  TEXT NOT NULL,           -- as the service gave it, or a time
    PRIMARY KEY (person, account, kind)
) WITHOUT ROWID;
CREATE TABLE refused_tokens (
    service TEXT NOT NULL PRIMARY KEY,
    token_hash TEXT NOT NULL,
    refused_at TEXT NOT NULL
);
CREATE INDEX sessions_to_summarise ON sessions (last_at)
    WHERE summarised_epoch < CASE WHEN state = 'open' THEN epoch - 1 ELSE epoch END;
CREATE TABLE home_id (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL
);
CREATE TRIGGER message_words_moved AFTER UPDATE OF author, addressee ON messages
WHEN old.author IS NOT new.author OR old.addressee IS NOT new.addressee
BEGIN
    INSERT OR IGNORE INTO message_words_changed VALUES (new.id);
END;
CREATE INDEX conversations_by_workspace ON conversations (platform, workspace);
CREATE TABLE "cycle_events" (
    id INTEGER PRIMARY KEY,
    cycle_id TEXT NOT NULL,
    parent_id TEXT,
    turn INTEGER NOT NULL,
    step TEXT NOT NULL,
    type TEXT NOT NULL,
    at TEXT NOT NULL,
    session_id TEXT NOT NULL,
    person TEXT NOT NULL,
    agent TEXT NOT NULL,
    private INTEGER NOT NULL,
    duration_ms INTEGER,
    data TEXT NOT NULL,
    reach TEXT CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT ''
);
CREATE INDEX cycle_events_of_step ON cycle_events (turn, step);
CREATE INDEX cycle_events_of_person ON cycle_events (person, id) WHERE type = 'cycle_start';
CREATE INDEX cycle_events_of_parent ON cycle_events (parent_id) WHERE type = 'agent_cycle_start';
CREATE INDEX cycle_events_start ON cycle_events (cycle_id, turn)
    WHERE type IN ('cycle_start', 'agent_cycle_start');
CREATE INDEX messages_by_addressee ON messages (addressee, id) WHERE addressee <> '';
CREATE TABLE contact_ids (
    key         TEXT PRIMARY KEY,           -- the id without regard to case; '' when the record began
    id          TEXT NOT NULL,
    present     INTEGER NOT NULL,           -- 0 once contacts.yaml did not name it, until it is vouched for
    at          TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE contact_accounts (
    key         TEXT NOT NULL,
    platform    TEXT NOT NULL,
    account     TEXT NOT NULL,              -- as in contacts.yaml
    takes       INTEGER NOT NULL,           -- whether what was kept for the account before is the contact's
    PRIMARY KEY (key, platform, account)
) WITHOUT ROWID;
CREATE TABLE takeovers (
    ref         TEXT PRIMARY KEY,
    earlier     TEXT NOT NULL,              -- a person id
    contact     TEXT NOT NULL,
    platform    TEXT NOT NULL,              -- the contact's account that it is about; '' for a former id
    account     TEXT NOT NULL,
    accounts    TEXT NOT NULL,              -- who is asked, as JSON: [[platform, id], ...]
    state       TEXT NOT NULL,              -- asked, agreed or refused
    by          TEXT NOT NULL,
    at          TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX takeovers_by_earlier ON takeovers (earlier, contact);
CREATE TABLE undoable (
    id        INTEGER PRIMARY KEY,
    person    TEXT NOT NULL,
    reach     TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel   TEXT NOT NULL DEFAULT '',
    turn      INTEGER NOT NULL,
    noun      TEXT NOT NULL,
    done      TEXT NOT NULL,
    name      TEXT NOT NULL,
    back      TEXT NOT NULL,                    -- JSON: statement, parameters, rows
    told      INTEGER NOT NULL,
    at        TEXT NOT NULL,
    undone_at TEXT
);
CREATE INDEX undoable_of_person ON undoable (person, at);
CREATE INDEX undoable_of_turn ON undoable (turn) WHERE told = 1;
CREATE INDEX undoable_by_time ON undoable (at);
CREATE TABLE forgettings (
    ref    TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    words  TEXT NOT NULL,
    state  TEXT NOT NULL,     -- asked | running | rewriting
    at     TEXT NOT NULL
);
CREATE TABLE shares (
    ref TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    workspace TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE TABLE refused_content (
    model TEXT NOT NULL,
    what TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (model, what)
);
INSERT INTO message_words_reached VALUES (1, 0);
INSERT INTO migrations VALUES (1, '0001_turns_journal.sqlite.sql',
    'b5eb78be2e26551f399345c2cf79f5912e9f8eb434757bd55233ec600c191830', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (2, '0002_sessions_state.sqlite.sql',
    'f8ed224602c5bcc8bfac0e33657b394701da61589e9afe16f889df9e02e203b0', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (3, '0003_tools_approvals.sqlite.sql',
    'f8bb3f88d2c52af85fefeb7d9dda3778dd907b0d9f22dae8caf410627e4bc1c3', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (4, '0004_agents_cycle_events.sqlite.sql',
    '8d9dae641855635dc1a7c538fb08f8a446a673e19c00516c28a4f591b316fbe1', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (5, '0005_files_virtual_files.sqlite.sql',
    '5e5a2d8ed13cc73dcf3f136f337fe2154f7cde77f9296c366436342e4bd0b7d2', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (6, '0006_memory_known_facts.sqlite.sql',
    'd7d81cc73d1ad955a3d9f86f946c06ccd11a7fce0d64cfee77491bd79fb34316', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (7, '0007_connectors_todos.sqlite.sql',
    '1b6531dbdd2bfd29b8964a155b240ee43858ee5f1e3b1201ef4bdcba683383f0', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (8, '0008_connectors_notes.sqlite.sql',
    '48c66cc30517bc5469689086e58b1e3957df27d6d247ad4ca60a42124e57bffc', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (9, '0009_connectors_knowledge.sqlite.sql',
    'ce3896c512a9d69b712b2826dd3d2fc3c2267fa49fd0b5e51ab27c5adee919c1', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (10, '0010_sessions_context.sqlite.sql',
    '0d2cd569a5dfa30668f59c19fa950f97fe198e04d23ade8a029077abb716c506', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (11, '0011_tools_mcp_servers.sqlite.sql',
    'e37d68135583ebef49340635cbaeb7ca0b0426d44a3e23ad7fca42e337db8d57', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (12, '0012_sessions_recovery.sqlite.sql',
    '035f6dc60367617e06c4ab23e0a4b8174182b50afb1ef2f6913c0c2efd600596', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (13, '0013_sessions_dialect.sqlite.sql',
    '0f1c2ff25b060c87f77d65219f5cd3b98406c1d73c668f38013fbac814da66da', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (14, '0014_tools_grants_usage.sqlite.sql',
    '83bb3054f0c9021a9af96c5a1ce9e7a8f99804fe7f1c61cd2d8ac0906c75f21c', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (15, '0015_tools_stems.sqlite.sql',
    'dd6386bba9283640dace2d66be3ba8576ae319e4397bffacafb7ddea545869c3', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (16, '0016_tools_past_requests.sqlite.sql',
    '17d7bd53d56c2680be53085d8ef3df52a44af11deefaeeb8330adcdfdfe59741', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (17, '0017_sessions_registrations.sqlite.sql',
    '686fc47783703ec8c5bfcc1dcf433b148ae02c8d663966b7767696b1ca34450c', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (18, '0018_tools_credentials.sqlite.sql',
    'ecc8d8aede74ee8330108c7bdeb5875b82e0a902cd80475f0b993ff0a4b69618', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (19, '0019_sessions_cards.sqlite.sql',
    '9bfd69d0ef3a27ed81faf3af122e18eb5726ecc0e73ad42e8b7bf01ebefad791', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (20, '0020_sessions_places.sqlite.sql',
    '1352fd6ceaf6cc6dc6bbb185b1e805907d0de50282f504263bd6b1e355e1c93e', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (21, '0021_turns_deaths.sqlite.sql',
    '53f661b79bec4fae0fc6ce25b4351f5cc7e352b8c65da3905ccbc66ccfeb3e6b', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (22, '0022_tools_strangers.sqlite.sql',
    'ef90d81ee589b768cdb91b7502402a779f4cf425ec15552a64c66428322baca7', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (23, '0023_sessions_attachment_owner.sqlite.sql',
    '01b823b90e5faeeba74c98414e7c0f871a4f1d4254e4e7473c5c4423f97c2c8d', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (24, '0024_sessions_lives.sqlite.sql',
    '3a7089bd75bc617f47b1c19d3abb4f8e0ff91967117cd291868527025729fe35', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (25, '0025_sessions_open_drafts.sqlite.sql',
    '57d7fd6a30a7d98331c340df414b79754d680751dc39f88d8ffd7d821ce3f3ef', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (26, '0026_tools_own_requests.sqlite.sql',
    '962b6b364fcd5ce81d301c867de73fbb3e4b5e84ecb38d49551ebc6970d7eb2e', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (27, '0027_tools_plans.sqlite.sql',
    '34483151c4cc1ba0260622078d1ad4988a293041bbfdc9d4a143d11a1c555c38', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (28, '0028_sessions_shown_contents.sqlite.sql',
    'e4c7332e4f8636449396e22aa1f9d8faa2fb717ba76082022e00a516c4051eda', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (29, '0029_sessions_channels.sqlite.sql',
    '4134d6e91a14f12486a7e9bba4d9c218bdb3bc96dccb1e23512aa197802aab43', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (30, '0030_sessions_conversation_channel.sqlite.sql',
    '095bac6a9c636d2a031337cc80168f21c833548741aa8cc2108096c09557efef', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (31, '0031_sessions_people.sqlite.sql',
    '55077a16d1c4aa0276c12f077baf0929ec141ccb1b0f359d38536b941fc58ec8', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (32, '0032_sessions_claims.sqlite.sql',
    'b175dd1f50f1a354072f6b21a7c921988c2edeab4923cdee63e26fa3fd2f57c3', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (33, '0033_sessions_pairing.sqlite.sql',
    'f44ec402002d23b8d444b44a80e3a223a94ed050ef9ee8dc9d233260a61dba46', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (34, '0034_sessions_said_by.sqlite.sql',
    '69eac4d763fbf1897623a23c4eb1322efd315e112e10cadc580f827f229a99de', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (35, '0035_connectors_learned.sqlite.sql',
    '1344cf7325a80c37647f01d85d67c84709948bb9c77857b54e08b61ea06b6ef9', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (36, '0036_turns_scheduled_tasks.sqlite.sql',
    '5bcccb003a6a7e27e701be0eaf250ae882ab6d2fd9770f8d84d08c261c30bb1c', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (37, '0037_connectors_repeating_todos.sqlite.sql',
    'e650f592975dfb0125504b194b60d708762662ddff5c96a344eecb49c48f747f', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (38, '0038_connectors_assigned_todos.sqlite.sql',
    '485c2fead9e033d398953293e6f3cb33fcd0c718bc72736d5fa4838a809a9a43', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (39, '0039_connectors_meetings.sqlite.sql',
    '4594a15bccee20e8cd2e1815b07331677c689727c69b5c3b0344f4ed8d69e060', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (40, '0040_memory_summaries.sqlite.sql',
    '29253fccaf1269111e79d3ba579d4c86e101209662a5fa966170dcb851ab2436', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (41, '0041_automations_triggers.sqlite.sql',
    '86da607d88d373ad07e80f68f1f3255beb696f1277c69827f66ee40f924fd3d4', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (42, '0042_sessions_message_words.sqlite.sql',
    '5ac3661620238ea2b2a38788a4e075907fa65f8646c43834e6e7783e144b628b', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (43, '0043_connectors_todo_files.sqlite.sql',
    '93aa73c66ddc33aacddb9bb669ef306380bf9a44bdcd3850493fcb2b97e92442', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (44, '0044_agents_learned.sqlite.sql',
    '9f43c0fb5f68e0e67b3200f0993d541e4ca3346d377a63cf60257dffd36e5fb2', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (45, '0045_sessions_member_reminders.sqlite.sql',
    '97835cd994fe4d131464a443be9299c11c410cdac2cf42fc2a0e0faf577445e3', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (46, '0046_connectors_people.sqlite.sql',
    'b5478484c0103defca3fe11feb3e4a6b014c0bc5ff2a30cab8a4d0fea4e3342a', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (47, '0047_memory_distillations.sqlite.sql',
    'd99d74c0ccea1939ca138d73a115f29bd1a5c29ac255c556e4dbf7aca9595a55', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (48, '0048_turns_schedule_budgets.sqlite.sql',
    '6788d5cfcd37cbea42c4d8fc0d5e06f654ce9cb945b16eb41bdddd3b5d881ae0', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (49, '0049_files_versions.sqlite.sql',
    '821e57b01bcbe6c5e5215ab4ea9e0179adee868c33f695d78f92b6354fb701ac', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (50, '0050_automations_events_told.sqlite.sql',
    'c4887ac8e56365350df6a03215d0dde05019edb8ca5ba9617e2718230ccbaec0', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (51, '0051_files_kept_at.sqlite.sql',
    '770171dc4f7cfc95957dffc2b4fed35eaa8342b374b2faa0254bc7bf25c7a453', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (52, '0052_tools_requests_learned.sqlite.sql',
    '91e8ff92c936d43fb2dbb24c12e484236f42b7d5da15519865c2fbc53d8931dd', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (53, '0053_memory_passes.sqlite.sql',
    'b8c2edfa6c1c02aa880595594faf877c054273068745060ee52508f038474457', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (54, '0054_agents_plan_orders.sqlite.sql',
    '8c658e1fa7e99e18a7964e1425dc5eb7758aade1a762904e08c56b7d7bd7d1e6', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (55, '0055_agents_open_cycles.sqlite.sql',
    'ad56b5a7bf4fd0aeacad0a9ab37052710f0e61a95672256bb7c97b93e405b520', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (56, '0056_files_words.sqlite.sql',
    'cd563720dd36c97f73be39c25f7d2dd0ab7a88f044e5648367ea19f02e42f4ee', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (57, '0057_sessions_aside.sqlite.sql',
    '525981e8b138b311e14a5e18a6d348e5fe283291c7e15ef63e8f5d1f9c51e184', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (58, '0058_tools_credentials_lapsed.sqlite.sql',
    'c29ae50d60128040748047918bb47d788bcf1ee837cee99d65e535ccb38c12a2', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (59, '0059_tools_usage_of_agents.sqlite.sql',
    '2b97af75b634c743315fb34f11e4d807011167690796089bd0e544867fd75d84', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (60, '0060_sessions_message_refusals.sqlite.sql',
    'e6b849afde9d623b328ed0abb6fb3e6a82ca64a0b3b91d280f921e4e04e5b0e2', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (61, '0061_connectors_mail.sqlite.sql',
    '51fa18b24b0471fa34d70106cc8ffeb3c9aa5f9831ed3169d7468191cdbec975', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (62, '0062_agents_exported_cycles.sqlite.sql',
    'd7f3ed610bf27e602b437eaa59d05a5dbbf706b62aec1c30e59aec331383ae4e', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (63, '0063_connections_requests.sqlite.sql',
    'fbc41cc51e598e69b74292b22414cd3273ae101a97423b34977d0989a61f463a', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (64, '0064_sessions_message_days.sqlite.sql',
    'ddf6f06299293b6ed156d3d69cdbfd1569f2224af4646ba59da000438ad7eb23', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (65, '0065_knowledge_collections.sqlite.sql',
    '234aad68d27fd6b6f003b46050a6d4579e977d623e84436006b3656976341bde', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (66, '0066_memory_forgotten_words.sqlite.sql',
    'b89c7f52e826d484e2c5db121fefc1ca63241447a5b623ee2559a1b57bf706b9', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (67, '0067_automations_account_cursors.sqlite.sql',
    '6d996e24f89134c388d2ba5d45e53498f6bf7cee05353e98db9d33b93804addd', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (68, '0068_tools_refused_tokens.sqlite.sql',
    'a22a6dbabecc98c8715446525d9825849d1143347bf5cb63c9108d91a47a3d30', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (69, '0069_sessions_summarise_index.sqlite.sql',
    'fc4d991f93ead787d06c3579d8e59c8cbe389a0df0bd7bc997d4f7cf011b01bb', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (70, '0070_storage_long_texts.sqlite.sql',
    '46a157bc3a1e9cb2140fea604c7d96ee9d4243bc60597b6a50523e4c93f6199f', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (71, '0071_storage_home_id.sqlite.sql',
    '78f31da831998e0b6e7b3b10977aeef56010cd91d6068e5ced5afe59cf82751b', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (72, '0072_turns_wake_sessions.sqlite.sql',
    '6beb340d30669d5196d2c2690761119b9989659010a4fde246e1494c9ee6f857', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (73, '0073_storage_shared_changes.sqlite.sql',
    '88e97964016f47c1c2bc73a051440794be2e71c6e698e8b776bc783d4c5d13f4', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (74, '0074_sessions_message_scopes.sqlite.sql',
    '15291d9c80817e55a5c23fb8e709c5ab5636383b2071c47ac51fe3a386c635ad', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (75, '0075_agents_small_log_indexes.sqlite.sql',
    '0f0f87054a180e2cf5b9635f88fb24eb28c47fa7fd9b2f74ed033d3770aac201', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (76, '0076_sessions_answers_index.sqlite.sql',
    '196768a59f60b2dcdb9ac26193fead444ab42b095b075f22b6ca247d13eabc50', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (77, '0077_sessions_contact_ids.sqlite.sql',
    'c5717a8f181f3b44f5ff9254f99f4bdf7cda72017cab13127373ce1e9d11b379', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (78, '0078_memory_no_sentences_to_share.sqlite.sql',
    '429488e9daf6a3dd5779d0214c36c143425cb0e3899b2087477fd58855d5d2aa', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (79, '0079_tools_undoable.sqlite.sql',
    'eba3fe7291cb39c5f9e2624fcc12c76d6d32f003c8751716e6756b942dd36c04', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (80, '0080_sessions_forgettings.sqlite.sql',
    '2ac2338086b3cc0476ea4e35b8065a045170f1a8bcb7faf166e8fc778cadc212', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (81, '0081_sessions_shown_cards.sqlite.sql',
    'eb211f19c654b8a137ae8e6cea60c3c9c05d926393be72687c7ddbdf7a54ec3c', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (82, '0082_memory_shares.sqlite.sql',
    '2361cd312447a7718951f29648c0882e0dd928581ecd06b085071b3ef07b933c', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (83, '0083_tools_approvals_about.sqlite.sql',
    '5de0e3f63bfb23c4bdcdf1077ade112e0b2d11fa668b63cc2fce016f13913424', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (84, '0084_agents_refused_content.sqlite.sql',
    'a2fc4535c2ca90bb90eb44cf9a7be54e89486af89fb7fac046b901dff6e85504', '2026-11-24T00:00:00Z');
INSERT INTO migrations VALUES (85, '0085_sessions_shared.sqlite.sql',
    '5068b3af515ed12ec1dbacb00fa7499168b859930ae1b14dfc05a0332e998c01', '2026-11-24T00:00:00Z');
