-- How far the cycle log was sent to a collector of traces; no row: nothing was ever sent.
CREATE TABLE exported_cycles (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    after_event INTEGER NOT NULL
) STRICT;
