-- Which requests a tool served: sets of stems, never shown to anybody; they only rank searches of the same role.
CREATE TABLE tool_requests (
    role TEXT NOT NULL,
    tool TEXT NOT NULL,
    words TEXT NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (role, tool, words)
);
