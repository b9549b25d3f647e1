-- Entries that a distillation is about to write into the tiers; the row goes when they stand there.
CREATE TABLE distillations (
    id      INTEGER PRIMARY KEY,
    person  TEXT NOT NULL,
    agent   TEXT NOT NULL,
    sources TEXT NOT NULL,                  -- JSON list: ids of the summaries that were read
    entries TEXT NOT NULL,                  -- JSON list of [tier, line]
    made_at TEXT NOT NULL
);

-- What the person expressly wanted everybody to know, in their own words; a JSON list.
ALTER TABLE summaries ADD COLUMN to_share TEXT NOT NULL DEFAULT '[]';
