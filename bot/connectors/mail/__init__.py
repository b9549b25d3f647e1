"""Mail of agents that have an address: sending it, and reading what comes in."""

from bot.connectors.mail.connector import MailConnector, receives_mail
from bot.connectors.mail.settings import MailSettings

__all__ = ["MailConnector", "MailSettings", "receives_mail"]
