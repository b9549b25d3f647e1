"""Discord as a chat platform, through discord.py; only `client` and `objects` import it."""
