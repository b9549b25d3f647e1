-- Which home a database belongs to: data/home.id holds the same id.
CREATE TABLE home_id (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL
);
