-- Carries over a home of the last version before the schema files (bot/storage/schema). What the 85
-- migrations before were is not needed any more.
DELETE FROM migrations WHERE number <= 85;

-- Tables with one value, or one for each person, are one table.
CREATE TABLE home_values (
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (name, key)
);
INSERT INTO home_values SELECT 'home id', '', id, '' FROM home_id;
INSERT INTO home_values SELECT 'exported', '', CAST(after_event AS TEXT), '' FROM exported_cycles;
INSERT INTO home_values SELECT 'heard until', platform, floor, '' FROM recoveries;
INSERT INTO home_values SELECT 'commands', scope, record, '' FROM registrations;
INSERT INTO home_values SELECT 'refused token', service, token_hash, refused_at FROM refused_tokens;
INSERT INTO home_values SELECT 'mcp tools', server, tools, listed_at FROM mcp_servers;
INSERT INTO home_values
    SELECT 'messages read', '', CAST(message AS TEXT), '' FROM message_words_reached;
DROP TABLE home_id;
DROP TABLE exported_cycles;
DROP TABLE recoveries;
DROP TABLE registrations;
DROP TABLE refused_tokens;
DROP TABLE mcp_servers;
DROP TABLE message_words_reached;

CREATE TABLE person_values (
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (person, name, key)
);
INSERT INTO person_values SELECT person, 'reminders', '', choice FROM remindme_choices;
INSERT INTO person_values SELECT person, 'messages', '', 'refused' FROM message_refusals;
INSERT INTO person_values SELECT person, 'shown', name, content FROM shown_contents;
DROP TABLE remindme_choices;
DROP TABLE message_refusals;
DROP TABLE moved_preferences;
DROP TABLE shown_contents;

CREATE TABLE plugin_migrations (
    plugin TEXT NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    statements TEXT NOT NULL,
    applied_at TEXT NOT NULL,
    PRIMARY KEY (plugin, number)
);

CREATE TABLE booking_pages (
    person TEXT PRIMARY KEY,
    link TEXT NOT NULL UNIQUE,
    sealed TEXT NOT NULL,
    envelope TEXT NOT NULL,
    zone TEXT NOT NULL,
    account TEXT NOT NULL,
    hours TEXT NOT NULL,
    length INTEGER NOT NULL,
    buffer INTEGER NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE TABLE bookings (
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

CREATE UNIQUE INDEX bookings_person ON bookings (person, starts_at) WHERE state != 'failed';
CREATE INDEX bookings_state ON bookings (state, made_at);

ALTER TABLE sessions ADD COLUMN rewritten INTEGER NOT NULL DEFAULT 0;
