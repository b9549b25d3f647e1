-- What happened in each cycle (requirements 4.3); written in the unit of the step it describes, outlives the turns.
CREATE TABLE cycle_events (
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
    UNIQUE (cycle_id, turn, step, type)
);

CREATE INDEX cycle_events_by_person ON cycle_events (person, id) WHERE type = 'cycle_start';

CREATE INDEX cycle_events_by_parent ON cycle_events (parent_id) WHERE type = 'agent_cycle_start';
