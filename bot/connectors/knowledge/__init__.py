"""A knowledge base per person, searched by words (seed 3, ruling 33)."""

from bot.connectors.knowledge.connector import KnowledgeConnector

__all__ = ["KnowledgeConnector"]
