"""Tools of MCP servers: one owner per server, names that fit, results as the loop knows them.

See docs/rules.md#tool-files.
"""
