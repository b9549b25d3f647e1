-- Cycles that began without an end are looked for at each start, among the few events that begin one.
CREATE INDEX cycle_events_begun ON cycle_events (id) WHERE type IN ('cycle_start', 'agent_cycle_start');
