-- Whose file it is, as `<platform>:<id there>`: each person's files may fill only so much of the disk.
ALTER TABLE attachments ADD COLUMN person TEXT NOT NULL DEFAULT '';
CREATE INDEX attachments_person ON attachments (person);
