-- What each MCP server listed last: the tools that sessions know of outlive a restart and an outage of the server,
-- and the names that models saw lead back to the server's own.
CREATE TABLE mcp_servers (
    server TEXT PRIMARY KEY,
    tools TEXT NOT NULL,      -- JSON: [{"name": as models know it, "tool": as the server calls it, "description", "parameters"}]
    listed_at TEXT NOT NULL
);
