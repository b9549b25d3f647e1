"""People's own mailboxes: read, never used for sending."""

from bot.connectors.mailboxes.connector import MailboxesConnector, mailbox_accounts
from bot.connectors.mailboxes.emails import Box, Email, MailboxAccount

__all__ = ["Box", "Email", "MailboxAccount", "MailboxesConnector", "mailbox_accounts"]
