"""The web: searching it and reading its pages."""

from bot.connectors.web.connector import WebConnector
from bot.connectors.web.settings import WebToolSettings

__all__ = ["WebConnector", "WebToolSettings"]
