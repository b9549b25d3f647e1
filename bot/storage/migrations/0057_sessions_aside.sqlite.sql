-- Whether a message answers a command such as /why: it is on record, and is nothing that `remember` finds again.
ALTER TABLE messages ADD COLUMN aside INTEGER NOT NULL DEFAULT 0;
