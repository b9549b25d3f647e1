-- Where a team could eat. `draws` counts how often a place was drawn.
CREATE TABLE lunch_places (
    name TEXT PRIMARY KEY,
    added_by TEXT NOT NULL,
    draws BIGINT NOT NULL DEFAULT 0,
    drawn_at TEXT NOT NULL DEFAULT ''
);
