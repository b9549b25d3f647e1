-- Carries over a home of 29 November 2026, whose last migration is 0089.
DELETE FROM migrations WHERE number <= 89;

-- Whether a yes may cover further calls was known by the names of tools. What is still open is
-- asked about alone.
ALTER TABLE approvals ADD COLUMN each_time INTEGER NOT NULL DEFAULT 0;
UPDATE approvals SET each_time = 1 WHERE state = 'open';

-- The tables of notes, knowledge, meetings, people, bookings, polls and MCP are the plug-ins'.
-- They are made as the first file of each makes them in a new home, and the file counts as applied.
CREATE TABLE notes_kept (
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
    origin TEXT NOT NULL,
    reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT ''
);
INSERT INTO notes_kept (
    id, board, owner, title, body, due, created_at, updated_at, agent, session, conversation,
    origin, reach, channel
)
    SELECT
        id, board, owner, title, body, due, created_at, updated_at, agent, session, conversation,
        origin, reach, channel
    FROM notes;
DROP TABLE notes;
CREATE INDEX notes_by_owner ON notes_kept (owner, board);
CREATE INDEX notes_by_agent ON notes_kept (agent, board);
INSERT INTO plugin_migrations (plugin, number, name, digest, statements, applied_at) VALUES (
    'notes',
    1,
    '0001_notes.sql',
    '29136338edd413cdc5d784af78a8bfec63e46ae88e56c37cff93e2c771b4fdbb',
    '["-- Notes on two boards: the person''s own, and the workspace of an agent.\n'
    || 'CREATE TABLE notes_kept (\n'
    || '    id TEXT PRIMARY KEY,\n'
    || '    board TEXT NOT NULL CHECK (board IN (''user'', ''agent'')),\n'
    || '    owner TEXT NOT NULL,\n'
    || '    title TEXT NOT NULL,\n'
    || '    body TEXT NOT NULL DEFAULT '''',\n'
    || '    due TEXT,\n'
    || '    created_at TEXT NOT NULL,\n'
    || '    updated_at TEXT NOT NULL,\n'
    || '    agent TEXT NOT NULL,\n'
    || '    session TEXT NOT NULL,\n'
    || '    conversation TEXT NOT NULL,\n'
    || '    origin TEXT NOT NULL,\n'
    || '    reach TEXT NOT NULL DEFAULT ''dm'' CHECK (reach IN (''dm'', '
    || '''private'', ''public'')),\n'
    || '    channel TEXT NOT NULL DEFAULT ''''\n'
    || ');", '
    || '"CREATE INDEX notes_by_owner ON notes_kept (owner, board);", '
    || '"CREATE INDEX notes_by_agent ON notes_kept (agent, board);"]',
    '2026-11-30T00:00:00.000000+00:00'
);

INSERT INTO plugin_migrations (plugin, number, name, digest, statements, applied_at) VALUES (
    'knowledge',
    1,
    '0001_knowledge.sql',
    '920f9c03c5ffd3fce5c0e78374bf1ad1a313548698f365f641332419830749a7',
    '["-- What people told Bellhop to know. `content_key` is the folded content.\n'
    || 'CREATE TABLE knowledge_entries (\n'
    || '    seq INTEGER PRIMARY KEY,\n'
    || '    id TEXT NOT NULL UNIQUE,\n'
    || '    owner TEXT NOT NULL,\n'
    || '    title TEXT NOT NULL,\n'
    || '    content TEXT NOT NULL,\n'
    || '    content_key TEXT NOT NULL,\n'
    || '    type TEXT NOT NULL CHECK (type IN (''fact'', '
    || '''preference'', ''knowledge'', ''note'')),\n'
    || '    importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),\n'
    || '    created_at TEXT NOT NULL,\n'
    || '    updated_at TEXT NOT NULL,\n'
    || '    agent TEXT NOT NULL,\n'
    || '    session TEXT NOT NULL,\n'
    || '    conversation TEXT NOT NULL,\n'
    || '    origin TEXT NOT NULL,\n'
    || '    reach TEXT NOT NULL DEFAULT ''dm'' CHECK (reach IN (''dm'', '
    || '''private'', ''public'')),\n'
    || '    channel TEXT NOT NULL DEFAULT '''',\n'
    || '    UNIQUE (owner, content_key)\n'
    || ');", '
    || '"-- The words of these entries.\n'
    || 'CREATE VIRTUAL TABLE knowledge_entries_text USING fts5 (\n'
    || '    body, tokenize = ''porter unicode61 remove_diacritics 2''\n'
    || ');"]',
    '2026-11-30T00:00:00.000000+00:00'
);

CREATE TABLE meetings_kept (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    day TEXT NOT NULL,  -- YYYY-MM-DD, in the zone of who made it
    slug TEXT NOT NULL,  -- never changes
    title TEXT NOT NULL,
    starts_at TEXT,  -- UTC; NULL where only the day is known
    people TEXT NOT NULL DEFAULT '[]',  -- JSON: names as they were given
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL,
    UNIQUE (day, slug)
);
INSERT INTO meetings_kept (
    seq, id, owner, day, slug, title, starts_at, people, created_at, updated_at, agent, session,
    conversation, reach, channel, origin
)
    SELECT
        seq, id, owner, day, slug, title, starts_at, people, created_at, updated_at, agent,
        session, conversation, reach, channel, origin
    FROM meetings;
DROP TABLE meetings;
CREATE TABLE meetings_texts (
    seq INTEGER PRIMARY KEY,
    meeting TEXT NOT NULL,  -- the id of its meeting
    name TEXT NOT NULL CHECK (name IN ('transcript', 'summary', 'notes')),
    text TEXT NOT NULL,
    version TEXT NOT NULL,
    origin TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    updated_by TEXT NOT NULL,
    UNIQUE (meeting, name)
);
INSERT INTO meetings_texts (
    seq, meeting, name, text, version, origin, updated_at, updated_by
)
    SELECT
        seq, meeting, name, text, version, origin, updated_at, updated_by
    FROM meeting_texts;
DROP TABLE meeting_texts;
CREATE VIRTUAL TABLE meetings_words USING fts5 (
    body, tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO meetings_words (
    rowid, body
)
    SELECT
        rowid, body
    FROM meeting_texts_text;
DROP TABLE meeting_texts_text;
CREATE INDEX meetings_by_start ON meetings_kept (starts_at) WHERE starts_at IS NOT NULL;
CREATE INDEX meetings_by_owner ON meetings_kept (owner);
INSERT INTO plugin_migrations (plugin, number, name, digest, statements, applied_at) VALUES (
    'meetings',
    1,
    '0001_meetings.sql',
    '5ba83f9bf408da4681c570497fea47871025a85ff4ed7dc0420c1592956e7569',
    '["-- Meetings. Reach and channel say where one was made, and so who sees it.\n'
    || 'CREATE TABLE meetings_kept (\n'
    || '    seq INTEGER PRIMARY KEY,\n'
    || '    id TEXT NOT NULL UNIQUE,\n'
    || '    owner TEXT NOT NULL,\n'
    || '    day TEXT NOT NULL,  -- YYYY-MM-DD, in the zone of who made it\n'
    || '    slug TEXT NOT NULL,  -- never changes\n'
    || '    title TEXT NOT NULL,\n'
    || '    starts_at TEXT,  -- UTC; NULL where only the day is known\n'
    || '    people TEXT NOT NULL DEFAULT ''[]'',  -- JSON: names as they were given\n'
    || '    created_at TEXT NOT NULL,\n'
    || '    updated_at TEXT NOT NULL,\n'
    || '    agent TEXT NOT NULL,\n'
    || '    session TEXT NOT NULL,\n'
    || '    conversation TEXT NOT NULL,\n'
    || '    reach TEXT NOT NULL CHECK (reach IN (''dm'', ''private'', ''public'')),\n'
    || '    channel TEXT NOT NULL DEFAULT '''',\n'
    || '    origin TEXT NOT NULL,\n'
    || '    UNIQUE (day, slug)\n'
    || ');", '
    || '"CREATE INDEX meetings_by_start ON meetings_kept '
    || '(starts_at) WHERE starts_at IS NOT NULL;", '
    || '"CREATE INDEX meetings_by_owner ON meetings_kept (owner);", '
    || '"-- The texts of meetings.\n'
    || 'CREATE TABLE meetings_texts (\n'
    || '    seq INTEGER PRIMARY KEY,\n'
    || '    meeting TEXT NOT NULL,  -- the id of its meeting\n'
    || '    name TEXT NOT NULL CHECK (name IN (''transcript'', ''summary'', ''notes'')),\n'
    || '    text TEXT NOT NULL,\n'
    || '    version TEXT NOT NULL,\n'
    || '    origin TEXT NOT NULL,\n'
    || '    updated_at TEXT NOT NULL,\n'
    || '    updated_by TEXT NOT NULL,\n'
    || '    UNIQUE (meeting, name)\n'
    || ');", '
    || '"-- The words of these texts.\n'
    || 'CREATE VIRTUAL TABLE meetings_words USING fts5 (\n'
    || '    body, tokenize = ''porter unicode61 remove_diacritics 2''\n'
    || ');"]',
    '2026-11-30T00:00:00.000000+00:00'
);

CREATE TABLE people_files (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,  -- never changes
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    other_names TEXT NOT NULL DEFAULT '[]',  -- JSON
    title TEXT NOT NULL DEFAULT '',
    timezone TEXT NOT NULL DEFAULT '',
    by_hand TEXT NOT NULL DEFAULT '[]',  -- JSON: fields that a profile doesn't change any more
    asked_at TEXT,  -- when their profile was read
    forgotten_at TEXT,  -- when they asked that no file be kept about them
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL
);
INSERT INTO people_files (
    id, slug, owner, name, other_names, title, timezone, by_hand, asked_at, forgotten_at,
    created_at, updated_at, agent, session, conversation, reach, channel, origin
)
    SELECT
        id, slug, owner, name, other_names, title, timezone, by_hand, asked_at, forgotten_at,
        created_at, updated_at, agent, session, conversation, reach, channel, origin
    FROM people;
DROP TABLE people;
CREATE TABLE people_remarks (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    about TEXT NOT NULL,
    owner TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL
);
INSERT INTO people_remarks (
    id, about, owner, text, created_at, agent, session, conversation, reach, channel, origin
)
    SELECT
        id, about, owner, text, created_at, agent, session, conversation, reach, channel,
        origin
    FROM people_notes ORDER BY rowid;
DROP TABLE people_notes;
CREATE INDEX people_files_by_owner ON people_files (owner);
CREATE INDEX people_remarks_by_file ON people_remarks (about, created_at);
CREATE INDEX people_remarks_by_owner ON people_remarks (owner);
INSERT INTO plugin_migrations (plugin, number, name, digest, statements, applied_at) VALUES (
    'people',
    1,
    '0001_people.sql',
    '5a924bd637f1d997486c6d746d2926cabca038ab1364a9cd8116502e1405c7e8',
    '["-- A file about each person; nobody''s own (owner '''') if '
    || 'it was made of a public profile.\n'
    || 'CREATE TABLE people_files (\n'
    || '    id TEXT PRIMARY KEY,\n'
    || '    slug TEXT NOT NULL UNIQUE,  -- never changes\n'
    || '    owner TEXT NOT NULL,\n'
    || '    name TEXT NOT NULL,\n'
    || '    other_names TEXT NOT NULL DEFAULT ''[]'',  -- JSON\n'
    || '    title TEXT NOT NULL DEFAULT '''',\n'
    || '    timezone TEXT NOT NULL DEFAULT '''',\n'
    || '    by_hand TEXT NOT NULL DEFAULT ''[]'',  -- JSON: fields '
    || 'that a profile doesn''t change any more\n'
    || '    asked_at TEXT,  -- when their profile was read\n'
    || '    forgotten_at TEXT,  -- when they asked that no file be kept about them\n'
    || '    created_at TEXT NOT NULL,\n'
    || '    updated_at TEXT NOT NULL,\n'
    || '    agent TEXT NOT NULL,\n'
    || '    session TEXT NOT NULL,\n'
    || '    conversation TEXT NOT NULL,\n'
    || '    reach TEXT NOT NULL CHECK (reach IN (''dm'', ''private'', ''public'')),\n'
    || '    channel TEXT NOT NULL DEFAULT '''',\n'
    || '    origin TEXT NOT NULL\n'
    || ');", '
    || '"CREATE INDEX people_files_by_owner ON people_files (owner);", '
    || '"-- What was noted in such a file.\n'
    || 'CREATE TABLE people_remarks (\n'
    || '    seq INTEGER PRIMARY KEY,\n'
    || '    id TEXT NOT NULL UNIQUE,\n'
    || '    about TEXT NOT NULL,\n'
    || '    owner TEXT NOT NULL,\n'
    || '    text TEXT NOT NULL,\n'
    || '    created_at TEXT NOT NULL,\n'
    || '    agent TEXT NOT NULL,\n'
    || '    session TEXT NOT NULL,\n'
    || '    conversation TEXT NOT NULL,\n'
    || '    reach TEXT NOT NULL CHECK (reach IN (''dm'', ''private'', ''public'')),\n'
    || '    channel TEXT NOT NULL DEFAULT '''',\n'
    || '    origin TEXT NOT NULL\n'
    || ');", '
    || '"CREATE INDEX people_remarks_by_file ON people_remarks (about, created_at);", '
    || '"CREATE INDEX people_remarks_by_owner ON people_remarks (owner);", '
    || '"-- Which file is about an account.\n'
    || 'CREATE TABLE people_accounts (\n'
    || '    person TEXT PRIMARY KEY,\n'
    || '    about TEXT NOT NULL\n'
    || ') WITHOUT ROWID;", '
    || '"CREATE INDEX people_accounts_by_file ON people_accounts (about);", '
    || '"-- Former names of files about people, of files that became one.\n'
    || 'CREATE TABLE people_slugs (\n'
    || '    slug TEXT PRIMARY KEY,\n'
    || '    about TEXT NOT NULL\n'
    || ') WITHOUT ROWID;", '
    || '"-- Files of which somebody said that they are about two people.\n'
    || 'CREATE TABLE people_apart (\n'
    || '    one TEXT NOT NULL,\n'
    || '    other TEXT NOT NULL,\n'
    || '    PRIMARY KEY (one, other)\n'
    || ') WITHOUT ROWID;"]',
    '2026-11-30T00:00:00.000000+00:00'
);

CREATE TABLE booking_made (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    zone TEXT NOT NULL,
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    mail TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    envelope TEXT NOT NULL,
    made_at TEXT NOT NULL
);
INSERT INTO booking_made (
    id, person, starts_at, ends_at, zone, account, name, mail, subject, state, envelope, made_at
)
    SELECT
        id, person, starts_at, ends_at, zone, account, name, mail, subject, state, envelope,
        made_at
    FROM bookings;
DROP TABLE bookings;
CREATE UNIQUE INDEX booking_made_of_person ON booking_made (person, starts_at)
    WHERE state != 'failed';
CREATE INDEX booking_made_by_person ON booking_made (person);
CREATE INDEX booking_made_by_state ON booking_made (state, made_at);
INSERT INTO plugin_migrations (plugin, number, name, digest, statements, applied_at) VALUES (
    'booking',
    1,
    '0001_booking.sql',
    '177371c392dd8fa8f42483ef7761ae3e42ad0e70be00b4fb23cf588f89332efd',
    '["-- Pages on which strangers book a person''s free times: by the hash of their link.\n'
    || 'CREATE TABLE booking_pages (\n'
    || '    person TEXT PRIMARY KEY,\n'
    || '    link TEXT NOT NULL UNIQUE,\n'
    || '    sealed TEXT NOT NULL,\n'
    || '    envelope TEXT NOT NULL,\n'
    || '    zone TEXT NOT NULL,\n'
    || '    account TEXT NOT NULL,\n'
    || '    hours TEXT NOT NULL,\n'
    || '    length INTEGER NOT NULL,\n'
    || '    buffer INTEGER NOT NULL,\n'
    || '    updated_at TEXT NOT NULL\n'
    || ');", '
    || '"-- What was booked: `held` until the event stands in the '
    || 'calendar, then `made`, or `failed`.\n'
    || 'CREATE TABLE booking_made (\n'
    || '    id TEXT PRIMARY KEY,\n'
    || '    person TEXT NOT NULL,\n'
    || '    starts_at TEXT NOT NULL,\n'
    || '    ends_at TEXT NOT NULL,\n'
    || '    zone TEXT NOT NULL,\n'
    || '    account TEXT NOT NULL,\n'
    || '    name TEXT NOT NULL,\n'
    || '    mail TEXT NOT NULL,\n'
    || '    subject TEXT NOT NULL,\n'
    || '    state TEXT NOT NULL,\n'
    || '    envelope TEXT NOT NULL,\n'
    || '    made_at TEXT NOT NULL\n'
    || ');", '
    || '"CREATE UNIQUE INDEX booking_made_of_person ON booking_made (person, starts_at)\n'
    || '    WHERE state != ''failed'';", '
    || '"CREATE INDEX booking_made_by_person ON booking_made (person);", '
    || '"CREATE INDEX booking_made_by_state ON booking_made (state, made_at);"]',
    '2026-11-30T00:00:00.000000+00:00'
);

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
INSERT INTO polls_open (key, owner, asked_in, agent, place, trust, ends_at, made_at)
    SELECT key, owner, asked_in, agent, place, trust, ends_at, made_at FROM polls;
DROP TABLE polls;
CREATE INDEX polls_by_owner ON polls_open (owner);
CREATE INDEX polls_by_conversation ON polls_open (asked_in, made_at);
CREATE INDEX polls_by_end ON polls_open (ends_at);
INSERT INTO plugin_migrations (plugin, number, name, digest, statements, applied_at) VALUES (
    'polls',
    1,
    '0001_polls.sql',
    '75c1e9d926a19d0de78b5d8d70274df39f62fdf7ecabc134594e896bb943f547',
    '["-- Polls that somebody had posted and that have not ended.\n'
    || 'CREATE TABLE polls_open (\n'
    || '    key TEXT PRIMARY KEY,  -- platform:message\n'
    || '    owner TEXT NOT NULL,  -- person id\n'
    || '    asked_in TEXT NOT NULL,  -- the conversation that learns how it ends\n'
    || '    agent TEXT NOT NULL,\n'
    || '    place TEXT NOT NULL,  -- JSON: the conversation in which it stands\n'
    || '    trust TEXT NOT NULL,\n'
    || '    ends_at TEXT NOT NULL,\n'
    || '    made_at TEXT NOT NULL\n'
    || ');", '
    || '"CREATE INDEX polls_by_owner ON polls_open (owner);", '
    || '"CREATE INDEX polls_by_conversation ON polls_open (asked_in, made_at);", '
    || '"CREATE INDEX polls_by_end ON polls_open (ends_at);"]',
    '2026-11-30T00:00:00.000000+00:00'
);

CREATE TABLE mcp_listed (
    server TEXT PRIMARY KEY,
    tools TEXT NOT NULL,  -- JSON
    listed_at TEXT NOT NULL
);
INSERT INTO mcp_listed SELECT key, value, at FROM home_values WHERE name = 'mcp tools';
DELETE FROM home_values WHERE name = 'mcp tools';
INSERT INTO plugin_migrations (plugin, number, name, digest, statements, applied_at) VALUES (
    'mcp',
    1,
    '0001_mcp.sql',
    'e2d6c3b8b00474785ab51cc5fb1efbb692521229ce66b51802d7da1b2651164b',
    '["-- What each MCP server listed last, for sessions that know those tools.\n'
    || 'CREATE TABLE mcp_listed (\n'
    || '    server TEXT PRIMARY KEY,\n'
    || '    tools TEXT NOT NULL,  -- JSON\n'
    || '    listed_at TEXT NOT NULL\n'
    || ');"]',
    '2026-11-30T00:00:00.000000+00:00'
);

-- How a change of a note or of a meeting is taken back stands in the words of the statement.
UPDATE undoable SET back =
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(back,
    'FROM people_notes WHERE', 'FROM people_remarks WHERE'),
    'FROM notes WHERE', 'FROM notes_kept WHERE'),
    'UPDATE notes SET', 'UPDATE notes_kept SET'),
    'FROM meeting_texts_text WHERE', 'FROM meetings_words WHERE'),
    'INTO meeting_texts_text (', 'INTO meetings_words ('),
    'FROM meeting_texts WHERE', 'FROM meetings_texts WHERE'),
    'INTO meeting_texts (', 'INTO meetings_texts ('),
    '= meeting_texts.version', '= meetings_texts.version'),
    'FROM meetings WHERE', 'FROM meetings_kept WHERE'),
    'UPDATE meetings SET', 'UPDATE meetings_kept SET')
    WHERE noun IN ('note', 'note about somebody', 'meeting', 'summary');

-- Small things that are found by their name, or all of one name together, are values.
INSERT INTO home_values SELECT 'automations', channel, allowed_by, allowed_at
    FROM automation_channels;
INSERT INTO home_values SELECT 'claim code', hash, operator, expires_at FROM claim_codes;
INSERT INTO home_values SELECT 'wrong code', at || ' ' || id, sender, at FROM claim_tries;
INSERT INTO home_values SELECT
    'connecting', state, person || '|' || service || '|' || sealed, expires_at
    FROM connection_requests;
INSERT INTO home_values SELECT
    'draft', id, platform || '|' || channel || '|' || thread || '|' || answers || '|' || message, ''
    FROM open_drafts;
INSERT INTO home_values SELECT 'life', CAST(after_turn AS TEXT), identity, '' FROM lives;
INSERT INTO home_values SELECT
    'memory pass', at, '{"asked": ' || CASE asked WHEN 0 THEN 'false' ELSE 'true' END
    || ', "people": ' || people || ', "summaries": ' || summaries || ', "entries": ' || entries
    || ', "merged": ' || merged || ', "archived": ' || archived || ', "failed": ' || failed || '}',
    at
    FROM memory_passes AS one
    WHERE NOT EXISTS (SELECT 1 FROM memory_passes AS later WHERE later.at = one.at
        AND later.id > one.id);
INSERT INTO home_values SELECT 'refused content', model || ' ' || what, '', at FROM refused_content;
INSERT INTO person_values SELECT
    person, 'learning', channel, CASE learns WHEN 0 THEN 'off' ELSE changed_at END
    FROM memory_choices;
INSERT INTO person_values SELECT person, 'looked at', account || ' ' || kind, cursor
    FROM account_cursors;
INSERT INTO person_values SELECT person, 'shared', ref, at || ' ' || workspace FROM shares;
DROP TABLE automation_channels;
DROP TABLE claim_codes;
DROP TABLE claim_tries;
DROP TABLE connection_requests;
DROP TABLE open_drafts;
DROP TABLE lives;
DROP TABLE memory_passes;
DROP TABLE refused_content;
DROP TABLE memory_choices;
DROP TABLE account_cursors;
DROP TABLE shares;

INSERT INTO home_values SELECT
    'raised budget', day || ' ' || budget || ' ' || subject || ' ' || approval, made_by, ''
    FROM budget_extensions;
DROP TABLE budget_extensions;

-- What ends with its session, and is found by it, is one table.
CREATE TABLE session_values (
    session TEXT NOT NULL,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (session, name, key)
) WITHOUT ROWID;
INSERT INTO session_values SELECT session, 'seen', path, version FROM seen_files;
INSERT INTO session_values SELECT session_id, 'forgotten', at || ' ' || words, ''
    FROM forgotten_words;
DROP TABLE seen_files;
DROP TABLE forgotten_words;
