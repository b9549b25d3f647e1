-- Who has shared an entry of shared memory by their own yes, so that they can take it back. The words
-- are in the file alone; its tag [src:share-REF] names the row.
CREATE TABLE shares (
    ref TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    workspace TEXT NOT NULL,
    at TEXT NOT NULL
);
