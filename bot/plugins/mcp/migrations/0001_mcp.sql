-- What each MCP server listed last, for sessions that know those tools.
CREATE TABLE mcp_listed (
    server TEXT PRIMARY KEY,
    tools TEXT NOT NULL,  -- JSON
    listed_at TEXT NOT NULL
);
