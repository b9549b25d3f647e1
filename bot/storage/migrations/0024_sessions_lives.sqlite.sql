-- One row for each start of the program that accepted work: turns after `after_turn` carry `identity` in the keys of
-- their sends. Turns from before the first row have keys without one.
CREATE TABLE lives (
    after_turn  INTEGER PRIMARY KEY,         -- the last number of the inbox that was given when this life began
    identity    TEXT NOT NULL                -- random
);
