"""The connector "workspaces": a folder per person and project, and command lines in it."""

from bot.connectors.workspaces.connector import WorkspacesConnector

__all__ = ["WorkspacesConnector"]
