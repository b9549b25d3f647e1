"""Notes on two boards: the person's own and the agent's workspace (seed 1, ruling 28)."""

from bot.connectors.notes.connector import NotesConnector

__all__ = ["NotesConnector"]
