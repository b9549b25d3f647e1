-- Carries over a database of the last version before the schema files (bot/storage/schema). What the
-- migrations before were is not needed any more.
DELETE FROM migrations WHERE number <= 85;

-- Some later columns were numbers of four bytes, or compared text by the server's language.
ALTER TABLE migrations
    ALTER COLUMN name TYPE TEXT COLLATE "C",
    ALTER COLUMN digest TYPE TEXT COLLATE "C",
    ALTER COLUMN applied_at TYPE TEXT COLLATE "C";
ALTER TABLE cards
    ALTER COLUMN shown TYPE TEXT COLLATE "C",
    ALTER COLUMN reader TYPE TEXT COLLATE "C";
ALTER TABLE approvals
    ALTER COLUMN shown TYPE TEXT COLLATE "C",
    ALTER COLUMN bundle TYPE TEXT COLLATE "C",
    ALTER COLUMN about TYPE TEXT COLLATE "C";
ALTER TABLE plan_lines ALTER COLUMN rank TYPE BIGINT;
ALTER TABLE sessions ALTER COLUMN shared TYPE BIGINT;

-- Tables with one value, or one for each person, are one table.
CREATE TABLE home_values (
    name TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
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

CREATE TRIGGER refused_tokens_changed AFTER INSERT OR UPDATE ON home_values
    FOR EACH ROW WHEN (NEW.name = 'refused token') EXECUTE FUNCTION note_change('accounts');

CREATE TABLE person_values (
    person TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
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
    plugin TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    statements TEXT COLLATE "C" NOT NULL,
    applied_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (plugin, number)
);

CREATE TABLE booking_pages (
    person TEXT COLLATE "C" PRIMARY KEY,
    link TEXT COLLATE "C" NOT NULL UNIQUE,
    sealed TEXT COLLATE "C" NOT NULL,
    envelope TEXT COLLATE "C" NOT NULL,
    zone TEXT COLLATE "C" NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    hours TEXT COLLATE "C" NOT NULL,
    length BIGINT NOT NULL,
    buffer BIGINT NOT NULL,
    updated_at TEXT COLLATE "C" NOT NULL
);

CREATE TABLE bookings (
    id TEXT COLLATE "C" PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    starts_at TEXT COLLATE "C" NOT NULL,
    ends_at TEXT COLLATE "C" NOT NULL,
    zone TEXT COLLATE "C" NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    mail TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    envelope TEXT COLLATE "C" NOT NULL,
    made_at TEXT COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX bookings_person ON bookings (person, starts_at) WHERE state != 'failed';
CREATE INDEX bookings_state ON bookings (state, made_at);

ALTER TABLE sessions ADD COLUMN rewritten BIGINT NOT NULL DEFAULT 0;
