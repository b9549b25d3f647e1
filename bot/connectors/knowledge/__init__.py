"""A knowledge base per person, searched by words."""

from bot.connectors.knowledge.connector import KnowledgeConnector

__all__ = ["KnowledgeConnector"]
