"""Notes on two boards: the person's own and the agent's workspace."""

from bot.connectors.notes.connector import NotesConnector

__all__ = ["NotesConnector"]
