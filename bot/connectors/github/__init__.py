"""Repositories and issues at GitHub."""

from bot.connectors.github.connector import GitHubConnector

__all__ = ["GitHubConnector"]
