"""Collections of documents that a team searches, and the program's own logs for a MasterAdmin."""

from bot.connectors.collections.connector import CollectionsConnector

__all__ = ["CollectionsConnector"]
