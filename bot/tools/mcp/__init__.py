"""Tools of MCP servers: one owner per server, valid names, results in the loop's form.

See docs/rules.md#tool-files.
"""
