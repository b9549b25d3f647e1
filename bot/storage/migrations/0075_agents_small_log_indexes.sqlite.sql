-- An index entry of the log held a whole event id, a step and a type, in the random order of ids, so
-- each commit rewrote scattered pages: a sixth of all that a turn wrote. Events are now found by
-- their turn and step, which are short and come in order. Only the beginning of a cycle is found by
-- its id. The names are new, because a damaged log that was set aside keeps the names of its indexes.
CREATE TABLE cycle_events_rebuilt (
    id INTEGER PRIMARY KEY,
    cycle_id TEXT NOT NULL,
    parent_id TEXT,
    turn INTEGER NOT NULL,
    step TEXT NOT NULL,
    type TEXT NOT NULL,
    at TEXT NOT NULL,
    session_id TEXT NOT NULL,
    person TEXT NOT NULL,
    agent TEXT NOT NULL,
    private INTEGER NOT NULL,
    duration_ms INTEGER,
    data TEXT NOT NULL,
    reach TEXT CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL DEFAULT ''
);

INSERT INTO cycle_events_rebuilt (id, cycle_id, parent_id, turn, step, type, at, session_id, person,
    agent, private, duration_ms, data, reach, channel)
SELECT id, cycle_id, parent_id, turn, step, type, at, session_id, person, agent, private,
    duration_ms, data, reach, channel
FROM cycle_events ORDER BY id;

DROP TABLE cycle_events;

ALTER TABLE cycle_events_rebuilt RENAME TO cycle_events;

CREATE INDEX cycle_events_of_step ON cycle_events (turn, step);
CREATE INDEX cycle_events_of_person ON cycle_events (person, id) WHERE type = 'cycle_start';
CREATE INDEX cycle_events_of_parent ON cycle_events (parent_id) WHERE type = 'agent_cycle_start';
CREATE INDEX cycle_events_start ON cycle_events (cycle_id, turn)
    WHERE type IN ('cycle_start', 'agent_cycle_start');
