-- Carries over a database of the last version before the schema files (bot/storage/schema). What the
-- migrations before were is not needed any more.
DELETE FROM migrations WHERE number <= 85;

-- Some later columns were numbers of four bytes, or compared text by the server's language.
ALTER TABLE migrations
    ALTER COLUMN name TYPE TEXT COLLATE "C",
    ALTER COLUMN digest TYPE TEXT COLLATE "C",
    ALTER COLUMN applied_at TYPE TEXT COLLATE "C";
ALTER TABLE home_id ALTER COLUMN id TYPE TEXT COLLATE "C";
ALTER TABLE cards
    ALTER COLUMN shown TYPE TEXT COLLATE "C",
    ALTER COLUMN reader TYPE TEXT COLLATE "C";
ALTER TABLE approvals
    ALTER COLUMN shown TYPE TEXT COLLATE "C",
    ALTER COLUMN bundle TYPE TEXT COLLATE "C",
    ALTER COLUMN about TYPE TEXT COLLATE "C";
ALTER TABLE plan_lines ALTER COLUMN rank TYPE BIGINT;
ALTER TABLE sessions ALTER COLUMN shared TYPE BIGINT;
