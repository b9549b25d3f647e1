"""Mail of agents that have an address: sending and reading it."""

from bot.connectors.mail.connector import MailConnector, receives_mail
from bot.connectors.mail.settings import MailSettings

__all__ = ["MailConnector", "MailSettings", "receives_mail"]
