-- Messages with choices, from their send until what they ask is over and their choices are gone.
CREATE TABLE cards (
    key          TEXT PRIMARY KEY,          -- of the send
    ref          TEXT NOT NULL,             -- the approval, or the turn that asks
    step         TEXT NOT NULL DEFAULT '',  -- of a question: the step that asks it
    message      TEXT NOT NULL,             -- OutgoingMessage as JSON
    receipt      TEXT,                      -- Receipt as JSON; NULL while the outbox keeps the message
    line         TEXT NOT NULL DEFAULT '',  -- how it ended, once an edit was tried in vain
    attempts     INTEGER NOT NULL DEFAULT 0,
    next_try_at  TEXT                       -- of an edit that was tried in vain
);
CREATE INDEX cards_by_ref ON cards (ref);
CREATE INDEX cards_to_close ON cards (next_try_at) WHERE next_try_at IS NOT NULL;
