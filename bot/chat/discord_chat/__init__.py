"""Discord as a chat platform, through discord.py; `client` is the only module that imports it."""
