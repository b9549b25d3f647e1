"""Pages of Notion as markdown."""

from bot.connectors.notion.connector import NotionConnector

__all__ = ["NotionConnector"]
