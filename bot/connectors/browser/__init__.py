"""A real browser: pages that need one, logins that last, and no step that writes without a yes."""

from bot.connectors.browser.asking import CheapModel
from bot.connectors.browser.connector import BrowserConnector
from bot.connectors.browser.settings import BrowserSettings

__all__ = ["BrowserConnector", "BrowserSettings", "CheapModel"]
