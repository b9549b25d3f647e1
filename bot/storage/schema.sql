-- All tables of a home, as a new one gets them, by the room that owns them. docs/tables.md says how
-- their rows end and which are personal. PostgreSQL makes its tables of this file, too
-- (bot/plugins/postgresql/schema.py); its triggers are in triggers.sql there.
--
-- Moments are texts in UTC, as bot/clock.py writes them; 0 and 1 say no and yes. A `person` or an
-- `owner` is a person id. `reach` and `channel` say where a row was made: dm, private or public,
-- and the key of that channel, platform:workspace:channel. `agent`, `session` and `conversation`
-- say through whom it was made. `origin` is JSON and says how far a text is trusted.
--
-- Whoever changes a table here writes a migration, too.

-- --- storage -------------------------------------------------------------------------------------

-- Which migrations the tables have: all of this version, from the first moment of a new home.
CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    applied_at TEXT NOT NULL
);

-- Small values of the home by name and key, such as its id (bot/storage/values.py says which).
CREATE TABLE home_values (
    name TEXT NOT NULL,
    key TEXT NOT NULL,  -- of what: a platform, a service, a server; or empty
    value TEXT NOT NULL,
    at TEXT NOT NULL,  -- when it was stored or ends, where somebody asks; or empty
    PRIMARY KEY (name, key)
);

-- Small values of a person by name and key: what they chose, shared, were shown or are to be told.
CREATE TABLE person_values (
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    key TEXT NOT NULL,  -- of what, or empty
    value TEXT NOT NULL,
    PRIMARY KEY (person, name, key)
);

-- The files of plug-ins that were applied. Their text is kept to make the same tables in another
-- database.
CREATE TABLE plugin_migrations (
    plugin TEXT NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    statements TEXT NOT NULL,
    applied_at TEXT NOT NULL,
    PRIMARY KEY (plugin, number)
);

-- --- turns ---------------------------------------------------------------------------------------

-- Everything that was accepted, one row each: messages, answers, due work, ticks of schedules.
CREATE TABLE inbox (
    -- order of acceptance, never given twice: references are made of it
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE,  -- of the event, so that none is answered twice
    body TEXT NOT NULL,  -- JSON object
    due TEXT,  -- not before this moment (due work, and the wait before a retry)
    state TEXT NOT NULL,  -- new | running | ready | waiting | done | joined | failed | recorded
    attempts INTEGER NOT NULL DEFAULT 0,  -- begun and not excused, as a question or a drain is
    stop INTEGER NOT NULL DEFAULT 0,  -- a person wants it to end
    error TEXT,  -- why the last attempt failed
    joined_to INTEGER,  -- the turn that took this message as steering or as its answer
    accepted_at TEXT NOT NULL,
    settled_at TEXT,  -- NULL as long as there is something to do
    -- processes that ended while it ran, since it last got further
    deaths INTEGER NOT NULL DEFAULT 0,
    -- 1: it runs alone; 2: a process ended then; more: tries to give it up
    trial INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX inbox_open ON inbox (session, id) WHERE settled_at IS NULL;
CREATE INDEX inbox_settled ON inbox (settled_at) WHERE settled_at IS NOT NULL;

-- What each turn has done, step by step: a run after a crash goes on behind the last one.
CREATE TABLE steps (
    turn INTEGER NOT NULL,
    key TEXT NOT NULL,
    state TEXT NOT NULL,  -- started | done
    value TEXT,  -- JSON, once done
    PRIMARY KEY (turn, key)
) WITHOUT ROWID;

-- Which process works on a session.
CREATE TABLE claims (
    session TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    epoch INTEGER NOT NULL
) WITHOUT ROWID;

-- Questions of turns that wait for a person's answer.
CREATE TABLE questions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    turn INTEGER NOT NULL,
    step TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,  -- where the answer is expected
    person TEXT NOT NULL,  -- who may answer
    text TEXT NOT NULL,
    options TEXT NOT NULL,  -- JSON array of strings
    state TEXT NOT NULL,  -- open | answered | dropped
    asked_at TEXT NOT NULL,
    closed_at TEXT
);
CREATE INDEX questions_open ON questions (conversation, person) WHERE state = 'open';
CREATE INDEX questions_by_turn ON questions (turn);

-- When work is due, once or again and again.
CREATE TABLE schedules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    body TEXT NOT NULL,  -- JSON object: the body of each tick
    cron TEXT,  -- five fields, NULL for a one-off
    zone TEXT NOT NULL,  -- name of the time zone in which cron is read
    next_due TEXT,  -- NULL when nothing will come any more
    paused INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL
);
CREATE INDEX schedules_by_due ON schedules (next_due) WHERE next_due IS NOT NULL AND paused = 0;
CREATE INDEX schedules_by_session ON schedules (session);

-- Each run of a schedule, from the moment that it was due.
CREATE TABLE schedule_ticks (
    schedule INTEGER NOT NULL,
    due TEXT NOT NULL,
    turn INTEGER,  -- NULL: folded into the one that was still at work
    state TEXT NOT NULL,  -- claimed | running | done | failed | stopped | skipped | folded
    detail TEXT NOT NULL DEFAULT '',
    claimed_at TEXT NOT NULL,
    ran_at TEXT,
    ended_at TEXT,
    posted_at TEXT,  -- its answer is visible
    PRIMARY KEY (schedule, due)
) WITHOUT ROWID;
CREATE INDEX schedule_ticks_by_turn ON schedule_ticks (turn);

-- What a person asked to be done later. When it is due stands in schedules.
CREATE TABLE scheduled_tasks (
    ref TEXT PRIMARY KEY,
    session TEXT NOT NULL UNIQUE,  -- of its ticks, and of its row in schedules
    owner TEXT NOT NULL,  -- person id
    name TEXT NOT NULL,
    prompt TEXT NOT NULL,
    conversation TEXT NOT NULL,  -- where it was made, and where its answers go
    origin TEXT NOT NULL,  -- JSON: how far the prompt is trusted
    failures INTEGER NOT NULL DEFAULT 0,  -- in a row
    paused_why TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    budget_calls INTEGER,  -- of its owner's own wish; NULL: as the settings say
    spent_month TEXT NOT NULL DEFAULT '',  -- the newest month in which it ran
    spent_nano_usd INTEGER NOT NULL DEFAULT 0,
    spent_calls INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX scheduled_tasks_by_owner ON scheduled_tasks (owner);

-- --- sessions ------------------------------------------------------------------------------------

-- Channels, threads and direct messages, as everyone in them sees them.
CREATE TABLE conversations (
    key TEXT PRIMARY KEY,  -- platform:workspace:id
    platform TEXT NOT NULL,
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    place TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    private INTEGER NOT NULL,
    followed INTEGER NOT NULL DEFAULT 0,  -- 1: answered without a mention; 2: sent away; 3: wanted
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    -- of a thread: the channel that it hangs in; empty: none, or unknown
    channel TEXT NOT NULL DEFAULT ''
);
CREATE INDEX conversations_by_workspace ON conversations (platform, workspace);

-- What was said there, by people and by agents.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,  -- the platform event's key, or the outbox key of our own
    conversation TEXT NOT NULL,
    author TEXT NOT NULL,  -- person id, or agent:<name>
    author_name TEXT NOT NULL,
    trust TEXT NOT NULL,  -- origin, as seen from anybody else's session
    addressee TEXT NOT NULL DEFAULT '',  -- person id that our own message answers
    text TEXT NOT NULL,
    at TEXT NOT NULL,
    edited_at TEXT,
    deleted_at TEXT,
    place TEXT NOT NULL DEFAULT '',  -- where the platform keeps it, as in recovery_marks
    -- whether it answers a command such as /why: `remember` finds it never
    aside INTEGER NOT NULL DEFAULT 0,
    -- whether its addressee's own session did not say it, such as a reminder
    beside INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX messages_by_conversation ON messages (conversation, id);
CREATE INDEX messages_by_place ON messages (place, at) WHERE place <> '';
CREATE INDEX messages_by_author ON messages (author, conversation);
CREATE INDEX messages_by_addressee ON messages (addressee, id) WHERE addressee <> '';

-- The words of messages, as bot/storage/stems.py writes them; only looked up.
CREATE VIRTUAL TABLE message_words USING fts5 (words, tokenize = 'ascii');

-- How many messages hold each word: read from the index.
CREATE VIRTUAL TABLE message_terms USING fts5vocab (message_words, 'row');

-- Messages whose words are to be read again.
CREATE TABLE message_words_changed (
    message INTEGER PRIMARY KEY
);
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
CREATE TRIGGER message_words_moved AFTER UPDATE OF author, addressee ON messages
WHEN old.author IS NOT new.author OR old.addressee IS NOT new.addressee
BEGIN
    INSERT OR IGNORE INTO message_words_changed VALUES (new.id);
END;

-- What platforms said of channels, for rules about places. A thread is its channel.
CREATE TABLE channels (
    key TEXT PRIMARY KEY,  -- platform:workspace:channel
    category TEXT NOT NULL,
    visibility TEXT NOT NULL,  -- private, public, or empty: not known
    -- once: what is limited there stays limited when it becomes public
    was_private INTEGER NOT NULL,
    seen_at TEXT NOT NULL,  -- when this was noticed
    reply TEXT NOT NULL DEFAULT ''  -- whom to answer there, as its people chose
) WITHOUT ROWID;

-- One person's work with one agent in one conversation, and what its requests begin with.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    session_key TEXT NOT NULL,
    state TEXT NOT NULL,  -- open | ended
    agent TEXT NOT NULL,
    role TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    opened_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    ended_at TEXT,
    end_reason TEXT,
    system TEXT NOT NULL,  -- JSON, byte-frozen for the epoch
    tools TEXT NOT NULL,
    unlocked TEXT NOT NULL DEFAULT '[]',
    active_skills TEXT NOT NULL DEFAULT '[]',
    untold_facts TEXT NOT NULL DEFAULT '[]',
    seen_message INTEGER NOT NULL DEFAULT 0,
    next_seq INTEGER NOT NULL DEFAULT 0,
    private INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    -- of the last request and reply, as the provider counted; 0: unknown
    context_tokens INTEGER NOT NULL DEFAULT 0,
    dialect TEXT NOT NULL DEFAULT '',  -- how the transcript declares tools; empty: unknown
    summarised_epoch INTEGER NOT NULL DEFAULT 0,  -- the last epoch that has its row in summaries
    -- whether people of other companies could read the place at its opening
    shared INTEGER NOT NULL DEFAULT 0,
    rewritten INTEGER NOT NULL DEFAULT 0  -- how often its transcript was changed: deleted messages
);
CREATE UNIQUE INDEX one_open_session ON sessions (session_key) WHERE state = 'open';
CREATE INDEX sessions_by_key ON sessions (session_key, opened_at);
CREATE INDEX sessions_to_summarise ON sessions (last_at)
    WHERE summarised_epoch < CASE WHEN state = 'open' THEN epoch - 1 ELSE epoch END;

-- What the model reads of a session, message by message.
CREATE TABLE transcript (
    session_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    message TEXT NOT NULL,  -- TranscriptMessage as JSON: blocks with origin and privacy
    PRIMARY KEY (session_id, epoch, seq)
);

-- Small values of a session: which version of a file it saw last, and which words were forgotten.
CREATE TABLE session_values (
    session TEXT NOT NULL,  -- the id of its instance
    name TEXT NOT NULL,  -- seen | forgotten
    key TEXT NOT NULL,  -- the path of a file; the moment, and lists of stems as JSON, or "all"
    value TEXT NOT NULL,  -- the version of a file
    PRIMARY KEY (session, name, key)
) WITHOUT ROWID;

-- Files that came with a message; their bytes are in data/blobs.
CREATE TABLE attachments (
    turn INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    size INTEGER NOT NULL,
    blob TEXT NOT NULL,
    -- <platform>:<id there>: each person's files may fill only so much
    person TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (turn, position)
);
CREATE INDEX attachments_person ON attachments (person);

-- Messages on their way to a platform.
CREATE TABLE outbox (
    key TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    person TEXT NOT NULL,
    message TEXT NOT NULL,
    state TEXT NOT NULL,  -- pending | sent | dropped
    attempts INTEGER NOT NULL,
    error TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    next_try_at TEXT NOT NULL
);
CREATE INDEX outbox_pending ON outbox (next_try_at) WHERE state = 'pending';

-- Messages with choices, until what they ask is over and their choices are gone.
CREATE TABLE cards (
    key TEXT PRIMARY KEY,  -- of the send
    ref TEXT NOT NULL,  -- the approval, or the turn that asks
    step TEXT NOT NULL DEFAULT '',  -- of a question: the step that asks it
    message TEXT NOT NULL,  -- OutgoingMessage as JSON
    receipt TEXT,  -- Receipt as JSON; NULL while the outbox keeps the message
    line TEXT NOT NULL DEFAULT '',  -- how it ended, once an edit was tried in vain
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at TEXT,  -- of an edit that was tried in vain
    shown TEXT NOT NULL DEFAULT '',  -- what it showed of its call: a yes is compared with it
    reader TEXT NOT NULL DEFAULT ''  -- to whom alone it was shown
);
CREATE INDEX cards_by_ref ON cards (ref);
CREATE INDEX cards_to_close ON cards (next_try_at) WHERE next_try_at IS NOT NULL;

-- How far each place was heard: what catching up goes on from.
CREATE TABLE recovery_marks (
    place TEXT PRIMARY KEY,  -- key of the Conversation where the platform keeps the messages
    platform TEXT NOT NULL,
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,  -- dm | channel | thread
    position TEXT NOT NULL,  -- the newest message heard there, in the platform's words
    heard_at TEXT NOT NULL  -- when that was written
);
CREATE INDEX recovery_marks_by_time ON recovery_marks (platform, heard_at);

-- Messages that came while Bellhop was down and were too old to answer.
CREATE TABLE unanswered (
    place TEXT PRIMARY KEY,
    platform TEXT NOT NULL,
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    messages INTEGER NOT NULL,
    person TEXT NOT NULL,  -- who wrote the last of them
    newest TEXT NOT NULL  -- its key
);

-- Every id that a contact ever had, so that none is given to somebody else.
CREATE TABLE contact_ids (
    key TEXT PRIMARY KEY,  -- the id without regard to case; '' when the record began
    id TEXT NOT NULL,
    present INTEGER NOT NULL,  -- 0 once contacts.yaml did not name it, until it is vouched for
    at TEXT NOT NULL
) WITHOUT ROWID;

-- The accounts that an id of contacts.yaml stood for.
CREATE TABLE contact_accounts (
    key TEXT NOT NULL,
    platform TEXT NOT NULL,
    account TEXT NOT NULL,  -- as in contacts.yaml
    takes INTEGER NOT NULL,  -- whether what was kept for the account before is the contact's
    PRIMARY KEY (key, platform, account)
) WITHOUT ROWID;

-- Acts that give what is kept under one id to a contact.
CREATE TABLE takeovers (
    ref TEXT PRIMARY KEY,
    earlier TEXT NOT NULL,  -- a person id
    contact TEXT NOT NULL,
    platform TEXT NOT NULL,  -- the contact's account that it is about; '' for a former id
    account TEXT NOT NULL,
    accounts TEXT NOT NULL,  -- who is asked, as JSON: [[platform, id], ...]
    state TEXT NOT NULL,  -- asked, agreed or refused
    by TEXT NOT NULL,
    at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX takeovers_by_earlier ON takeovers (earlier, contact);

-- Reminders that one member set for another. The reminder is a todo of the receiver.
CREATE TABLE member_reminders (
    todo TEXT PRIMARY KEY,
    setter TEXT NOT NULL,  -- person id
    receiver TEXT NOT NULL,  -- person id
    setter_name TEXT NOT NULL,
    receiver_name TEXT NOT NULL,
    place TEXT NOT NULL,  -- JSON: the conversation in which it was set
    due TEXT NOT NULL,
    zone TEXT NOT NULL,  -- of the setter
    state TEXT NOT NULL
        CHECK (state IN ('asking', 'set', 'delivered', 'undelivered', 'refused', 'stopped')),
    created_at TEXT NOT NULL
);
CREATE INDEX member_reminders_by_receiver ON member_reminders (receiver, setter);
CREATE INDEX member_reminders_by_setter ON member_reminders (setter, created_at);

-- What somebody wants forgotten everywhere; its words go with the last step.
CREATE TABLE forgettings (
    ref TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    words TEXT NOT NULL,
    state TEXT NOT NULL,  -- asked | running | rewriting
    at TEXT NOT NULL
);

-- --- agents --------------------------------------------------------------------------------------

-- The log: what happened in each cycle, written in the unit of the step that it describes.
CREATE TABLE cycle_events (
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

-- What a person struck from a plan or added to it while it ran.
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

-- --- tools ---------------------------------------------------------------------------------------

-- Calls that wait, or waited, for somebody's yes.
CREATE TABLE approvals (
    ref TEXT PRIMARY KEY,  -- a and base-32
    session TEXT NOT NULL,  -- session key, as the turn engine has it
    person TEXT NOT NULL,  -- who asked for it
    agent TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,  -- JSON, in the order in which the model wrote it
    risk TEXT,
    reason TEXT NOT NULL,
    approver_rank INTEGER NOT NULL,  -- 0: the person themself
    state TEXT NOT NULL,  -- open | approved | rejected | expired | done
    private INTEGER NOT NULL,
    conversation TEXT NOT NULL,
    envelope TEXT NOT NULL,  -- JSON: the message that led to it
    asked_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    decided_by TEXT,
    decided_at TEXT,
    session_id TEXT NOT NULL DEFAULT '',  -- the session's instance, for "this session"
    targets TEXT NOT NULL DEFAULT '[]',  -- JSON: [field, kind, value] of each target
    stems TEXT NOT NULL DEFAULT '[]',  -- JSON: target, source, excerpt of each
    -- what the person who said yes had seen: compared when the call runs
    shown TEXT NOT NULL DEFAULT '',
    bundle TEXT NOT NULL DEFAULT '',  -- the approval whose one card asks about this call and others
    about TEXT NOT NULL DEFAULT '{}',  -- JSON: what the call means in words, for its card
    each_time INTEGER NOT NULL DEFAULT 0  -- its card asks about it alone; a yes covers nothing else
);
CREATE INDEX approvals_open ON approvals (expires_at) WHERE state = 'open';
CREATE INDEX approvals_by_session ON approvals (session, state);
CREATE INDEX approvals_by_person ON approvals (person, tool, asked_at);

-- Calls that a plan card was approved for; each is made once, exactly as it was shown.
CREATE TABLE plan_lines (
    approval TEXT NOT NULL,
    line INTEGER NOT NULL,  -- from 1, as on the card
    person TEXT NOT NULL,
    session_id TEXT NOT NULL,  -- the instance of the session that asked
    agent TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,  -- JSON, compared byte for byte
    valid_until TEXT NOT NULL,
    -- the call that took it: made again after a crash, it is the same one
    used_by TEXT NOT NULL DEFAULT '',
    -- of who approved the plan: it answers no question that needs a higher one
    rank INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (approval, line)
) WITHOUT ROWID;
CREATE INDEX plan_lines_of_session ON plan_lines (person, session_id, tool);

-- A yes that holds for more than one call.
CREATE TABLE grants (
    ref TEXT PRIMARY KEY,  -- g and base-32
    person TEXT NOT NULL,  -- for whom it holds
    tool TEXT NOT NULL,
    scope TEXT NOT NULL,  -- session | target
    session_id TEXT NOT NULL,  -- of a session grant
    targets TEXT NOT NULL,  -- JSON, of a target grant
    rank INTEGER NOT NULL,  -- of who said yes: it answers no question that needs a higher one
    made_by TEXT NOT NULL,
    made_at TEXT NOT NULL,
    approval TEXT NOT NULL,
    revoked_by TEXT,
    revoked_at TEXT
);
CREATE INDEX grants_in_force ON grants (person, tool) WHERE revoked_at IS NULL;

-- Decisions, and what was refused for safety.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    person TEXT NOT NULL,
    kind TEXT NOT NULL,  -- security | approved | rejected | expired
    tool TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT ''
);
CREATE INDEX audit_by_time ON audit (at);

-- What was spent on models: by day, person, channel and model.
CREATE TABLE usage (
    day TEXT NOT NULL,  -- YYYY-MM-DD
    person TEXT NOT NULL,
    channel TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    nano_usd INTEGER NOT NULL,
    unpriced INTEGER NOT NULL,  -- calls among them whose price is unknown
    stranger_calls INTEGER NOT NULL DEFAULT 0,  -- made as a guest who stood in no contacts file
    stranger_nano_usd INTEGER NOT NULL DEFAULT 0,
    handed_calls INTEGER NOT NULL DEFAULT 0,  -- of agents that another agent called
    handed_tokens INTEGER NOT NULL DEFAULT 0,
    handed_nano_usd INTEGER NOT NULL DEFAULT 0,  -- calls among them whose price is unknown
    PRIMARY KEY (day, person, channel, model)
) WITHOUT ROWID;

-- How often tools were called: by day, person, channel and tool.
CREATE TABLE tool_usage (
    day TEXT NOT NULL,
    person TEXT NOT NULL,
    channel TEXT NOT NULL,
    tool TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    PRIMARY KEY (day, person, channel, tool)
) WITHOUT ROWID;

-- Changes of a person's own things that they can take back for an hour.
CREATE TABLE undoable (
    id INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    turn INTEGER NOT NULL,
    noun TEXT NOT NULL,
    done TEXT NOT NULL,
    name TEXT NOT NULL,
    back TEXT NOT NULL,  -- JSON: statement, parameters, rows
    told INTEGER NOT NULL,
    at TEXT NOT NULL,
    undone_at TEXT
);
CREATE INDEX undoable_of_person ON undoable (person, at);
CREATE INDEX undoable_of_turn ON undoable (turn) WHERE told = 1;
CREATE INDEX undoable_by_time ON undoable (at);

-- Which requests a tool served, as sets of stems; they rank searches for tools.
CREATE TABLE tool_requests (
    person TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    tool TEXT NOT NULL,
    words TEXT NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (person, reach, channel, tool, words)
);

-- --- connections ---------------------------------------------------------------------------------

-- Tokens of people for services, sealed; useless without BELLHOP_SECRET_KEY.
CREATE TABLE credentials (
    person TEXT NOT NULL,
    service TEXT NOT NULL,
    sealed TEXT NOT NULL,
    stored_at TEXT NOT NULL,
    lapsed_at TEXT,  -- when the service stopped taking it; NULL: it counts as connected
    PRIMARY KEY (person, service)
);

-- Requests that wait until their person has connected a service.
CREATE TABLE connection_waits (
    id INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    service TEXT NOT NULL,
    session TEXT NOT NULL,
    message TEXT NOT NULL,
    made_at TEXT NOT NULL
) STRICT;
CREATE INDEX connection_waits_person ON connection_waits (person, service);

-- --- files ---------------------------------------------------------------------------------------

-- Text files that live in the database: /preferences, /documents, /custom-skills, ...
CREATE TABLE virtual_files (
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('person', 'workspace')),
    owner TEXT NOT NULL,  -- a person id, or <platform>:<workspace>
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    version TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    updated_by TEXT NOT NULL,
    origin TEXT NOT NULL,
    reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (owner_kind, owner, path)
);

-- Earlier texts of documents, numbered by path.
CREATE TABLE file_versions (
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('person', 'workspace')),
    owner TEXT NOT NULL,
    path TEXT NOT NULL,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    version TEXT NOT NULL,
    updated_at TEXT NOT NULL,  -- when this text was written
    updated_by TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    origin TEXT NOT NULL,
    -- when it was put away: those of a deleted file go some time later
    kept_at TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (owner_kind, owner, path, number)
);

-- Pieces of documents, whose words are looked up.
CREATE TABLE file_pieces (
    id INTEGER PRIMARY KEY,  -- the row of its words
    owner_kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    path TEXT NOT NULL,
    begins INTEGER NOT NULL  -- after so many characters of the text
);
CREATE INDEX file_pieces_by_file ON file_pieces (owner_kind, owner, path);

-- The words of these pieces, as bot/storage/stems.py writes them; only looked up.
CREATE VIRTUAL TABLE file_words USING fts5 (words, tokenize = 'ascii');

-- Documents whose words are still to be read, and how far they were.
CREATE TABLE file_words_unread (
    owner_kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    path TEXT NOT NULL,
    reached INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (owner_kind, owner, path)
) WITHOUT ROWID;
CREATE TRIGGER file_words_written AFTER INSERT ON virtual_files
WHEN new.path >= '/documents/' AND new.path < '/documents0'
BEGIN
    INSERT OR IGNORE INTO file_words_unread (owner_kind, owner, path)
        VALUES (new.owner_kind, new.owner, new.path);
END;
CREATE TRIGGER file_words_changed AFTER UPDATE OF owner_kind, owner, path, text ON virtual_files
BEGIN
    DELETE FROM file_words WHERE rowid IN
        (SELECT id FROM file_pieces
            WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path);
    DELETE FROM file_pieces
        WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
    DELETE FROM file_words_unread
        WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
    INSERT OR IGNORE INTO file_words_unread (owner_kind, owner, path)
        SELECT new.owner_kind, new.owner, new.path
        WHERE new.path >= '/documents/' AND new.path < '/documents0';
END;
CREATE TRIGGER file_words_deleted AFTER DELETE ON virtual_files
BEGIN
    DELETE FROM file_words WHERE rowid IN
        (SELECT id FROM file_pieces
            WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path);
    DELETE FROM file_pieces
        WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
    DELETE FROM file_words_unread
        WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
END;

-- --- memory --------------------------------------------------------------------------------------

-- What agents found out during a session.
CREATE TABLE known_facts (
    session_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fact TEXT NOT NULL,
    history TEXT NOT NULL DEFAULT '[]',
    updated_at TEXT NOT NULL,
    PRIMARY KEY (session_id, key)
);

-- One row for each part of a session that is over: its summary, or why there is none.
CREATE TABLE summaries (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    person TEXT NOT NULL,
    role TEXT NOT NULL,
    agent TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach TEXT NOT NULL,  -- dm | private | public: where it was learned
    channel TEXT NOT NULL,  -- key of that channel, empty for a direct message
    trust TEXT NOT NULL,  -- the least trusted text that the session had read
    began_at TEXT NOT NULL,
    ended_at TEXT NOT NULL,
    significance INTEGER NOT NULL,
    fields TEXT,  -- JSON; NULL: nothing is kept of it
    why_not TEXT NOT NULL DEFAULT '',  -- why nothing is kept
    by_model INTEGER NOT NULL,
    tools TEXT NOT NULL DEFAULT '[]',
    logged INTEGER NOT NULL DEFAULT 0,  -- whether its line stands in the file
    distilled_at TEXT,
    UNIQUE (session_id, epoch)
);
CREATE INDEX summaries_by_person ON summaries (person, conversation, ended_at);
CREATE INDEX summaries_undistilled ON summaries (person, agent)
    WHERE distilled_at IS NULL AND fields IS NOT NULL;
CREATE INDEX summaries_unlogged ON summaries (ended_at) WHERE logged = 0 AND fields IS NOT NULL;

-- Entries that a distillation is about to write into the files of memory.
CREATE TABLE distillations (
    id INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    agent TEXT NOT NULL,
    sources TEXT NOT NULL,  -- JSON list: ids of the summaries that were read
    entries TEXT NOT NULL,  -- JSON list of [tier, line]
    made_at TEXT NOT NULL
);

-- --- knowledge -----------------------------------------------------------------------------------

-- Documents that people search together, and the roles that they are open to.
CREATE TABLE collections (
    name TEXT PRIMARY KEY,
    roles TEXT NOT NULL,  -- as in the section Access of a tool file
    created_at TEXT NOT NULL
) WITHOUT ROWID;

-- The documents of collections: who added each, and where.
CREATE TABLE collected_documents (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL REFERENCES collections (name),
    owner TEXT NOT NULL,  -- person id; empty: added at the command line, for all its roles
    name TEXT NOT NULL,
    source TEXT NOT NULL,  -- where it came from: a path, a URL, or empty
    digest TEXT NOT NULL,  -- SHA-256 of its bytes
    parts INTEGER NOT NULL,
    added_at TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    origin TEXT NOT NULL
);
CREATE INDEX collected_documents_by_collection ON collected_documents (collection, source);
CREATE INDEX collected_documents_by_owner ON collected_documents (owner);

-- The texts of these documents, part by part.
CREATE TABLE document_parts (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES collected_documents (seq),
    place TEXT NOT NULL,  -- how it is cited: a heading, a page, lines
    text TEXT NOT NULL
);
CREATE INDEX document_parts_by_document ON document_parts (document);

-- The words of these parts, as bot/storage/stems.py writes them; only looked up.
CREATE VIRTUAL TABLE document_part_words USING fts5 (words, around, tokenize = 'ascii');

-- What each part means, as a vector of a model.
CREATE TABLE document_vectors (
    part INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    vector BLOB NOT NULL  -- float32 of length 1, little-endian
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

-- --- automations ---------------------------------------------------------------------------------

-- What an agent does when something happens. When it runs next stands in schedules.
CREATE TABLE automations (
    ref TEXT PRIMARY KEY,
    owner TEXT NOT NULL,  -- person id
    slug TEXT NOT NULL,  -- of its path, /automations/triggers/<slug>.md
    text TEXT NOT NULL,  -- the file
    event TEXT NOT NULL,  -- what starts it
    watches TEXT NOT NULL DEFAULT '',  -- key of the channel whose events start it
    workspace TEXT NOT NULL,  -- platform:workspace in which it was made
    session TEXT NOT NULL UNIQUE,  -- of its ticks
    envelope TEXT NOT NULL,  -- JSON: the message with which it was made
    conversation TEXT NOT NULL,  -- where it was made
    reach TEXT NOT NULL,  -- who can read where it was made
    channel TEXT NOT NULL,
    origin TEXT NOT NULL,  -- JSON: how far the text is trusted
    enabled INTEGER NOT NULL DEFAULT 1,
    paused_why TEXT NOT NULL DEFAULT '',
    failures INTEGER NOT NULL DEFAULT 0,  -- in a row
    shown_at TEXT,  -- when the watched channel was told of it
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX automations_by_owner ON automations (owner, slug);
CREATE INDEX automations_by_event ON automations (event, watches) WHERE enabled = 1;

-- What happened, until a turn has taken it, and some time after that.
CREATE TABLE automation_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    automation TEXT NOT NULL,
    key TEXT NOT NULL,  -- names the event for ever
    at TEXT NOT NULL,
    text TEXT NOT NULL,  -- empty where so many wait that it is only counted
    origin TEXT NOT NULL,  -- JSON
    turn INTEGER,
    UNIQUE (automation, key)
);
CREATE INDEX automation_events_waiting ON automation_events (automation, seq) WHERE turn IS NULL;
CREATE INDEX automation_events_by_age ON automation_events (at) WHERE turn IS NOT NULL;

-- --- connectors ----------------------------------------------------------------------------------

-- Todos of people. A due date is a day, or a moment in UTC.
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
    origin TEXT NOT NULL,
    reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    repeats TEXT,  -- cron, five fields
    zone TEXT NOT NULL DEFAULT 'UTC',  -- in which it and the due date were said
    assigned INTEGER NOT NULL DEFAULT 0,  -- whether the assistant works on it by itself
    slug TEXT NOT NULL DEFAULT '',  -- of its file, /todos/<slug>.md
    notes TEXT NOT NULL DEFAULT '',  -- what stands below the summary in its file
    -- counts the changes: a file that was read before one undoes none
    revision INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX todos_by_owner ON todos (owner, status);
CREATE INDEX todos_by_wake ON todos (wake_at) WHERE wake_at IS NOT NULL;
CREATE UNIQUE INDEX todos_by_slug ON todos (owner, slug) WHERE slug <> '';
