-- Events are told when they happen, so nobody asks since when.
ALTER TABLE automations DROP COLUMN looked_at;
