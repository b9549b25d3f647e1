-- Events are found by their turn and step; only the beginning of a cycle is found by its id.
ALTER TABLE cycle_events DROP CONSTRAINT cycle_events_cycle_id_turn_step_type_key;
DROP INDEX cycle_events_begun;
ALTER INDEX cycle_events_by_person RENAME TO cycle_events_of_person;
ALTER INDEX cycle_events_by_parent RENAME TO cycle_events_of_parent;
CREATE INDEX cycle_events_of_step ON cycle_events (turn, step);
CREATE INDEX cycle_events_start ON cycle_events (cycle_id, turn)
    WHERE type IN ('cycle_start', 'agent_cycle_start');
