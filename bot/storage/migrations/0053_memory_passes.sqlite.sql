-- What each pass over memory did: distillation, and the reflection after it. The newest hundred are kept.
CREATE TABLE memory_passes (
    id        INTEGER PRIMARY KEY,
    at        TEXT NOT NULL,
    asked     INTEGER NOT NULL,               -- by a command, not by the clock
    people    INTEGER NOT NULL,
    summaries INTEGER NOT NULL,               -- that were read
    entries   INTEGER NOT NULL,               -- that came of them
    merged    INTEGER NOT NULL,               -- that said what another says
    archived  INTEGER NOT NULL,               -- that left a tier for the archive
    failed    TEXT NOT NULL DEFAULT '[]'      -- JSON list of [person, why]: their summaries still wait
);

-- Whether anything may be learned, as somebody said: of a person, or of everybody in a channel or direct message.
CREATE TABLE memory_choices (
    person     TEXT NOT NULL,                 -- empty: everybody there
    channel    TEXT NOT NULL,                 -- its key; empty: everywhere
    learns     INTEGER NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (person, channel)
);
