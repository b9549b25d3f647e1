-- Carries over a home of the last version before the schema files (bot/storage/schema). Its tables
-- are those of the schema already; what the 85 migrations before were is not needed any more.
DELETE FROM migrations WHERE number <= 85;
