-- What a request taught is kept per person: what one asked in private must not steer the searches of others.
-- Earlier lessons name nobody, so they go.
DROP TABLE tool_requests;
CREATE TABLE tool_requests (
    person TEXT NOT NULL,
    private INTEGER NOT NULL,
    tool TEXT NOT NULL,
    words TEXT NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (person, private, tool, words)
);
