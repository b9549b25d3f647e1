-- What a request taught counts where its person sees what was learned there: the place is kept, not only whether it was private.
-- Of earlier requests those of direct messages stay; the others may come from a private channel, so they go.
CREATE TABLE tool_requests_by_place (
    person  TEXT NOT NULL,
    reach   TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    tool    TEXT NOT NULL,
    words   TEXT NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (person, reach, channel, tool, words)
);
INSERT INTO tool_requests_by_place (person, reach, channel, tool, words, used_at)
SELECT person, 'dm', '', tool, words, used_at FROM tool_requests WHERE private = 1;
DROP TABLE tool_requests;
ALTER TABLE tool_requests_by_place RENAME TO tool_requests;
