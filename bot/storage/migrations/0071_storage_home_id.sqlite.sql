-- Which home a database belongs to: data/home.id holds the same id.
CREATE TABLE home_id (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL
);
