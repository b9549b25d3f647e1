"""Tools of MCP servers: one owner per server, valid names, results in the house's form.

See docs/rules.md#tool-files.
"""
