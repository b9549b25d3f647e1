"""The connector "mailboxes"."""

from collections.abc import Mapping

from bot.connections.client import ServiceClient
from bot.connectors.accounts import AccountsConnector, PersonAccounts
from bot.connectors.mailboxes.emails import MailboxAccount
from bot.connectors.mailboxes.gmail import GmailMailbox
from bot.connectors.mailboxes.outlook import OutlookMailbox
from bot.connectors.mailboxes.tools import MailboxTools
from bot.domain.clock import Clock
from bot.tools.native.registry import Usable
from bot.web.client import WebClient
from bot.web.pages import Pages
from bot.web.settings import WebSettings


def mailbox_accounts(
    usable: Usable, clients: Mapping[str, ServiceClient], clock: Clock
) -> PersonAccounts[MailboxAccount]:
    """Everybody's mailboxes, from the accounts that they connected."""
    found: dict[str, MailboxAccount] = {}
    if "google" in clients:
        found["google"] = GmailMailbox(clients["google"])
    if "outlook" in clients:
        found["outlook"] = OutlookMailbox(clients["outlook"], clock)
    return PersonAccounts(usable, found)


class MailboxesConnector(AccountsConnector[MailboxAccount]):
    """For people who connected Google or Outlook: their own mail.

    The agent's own mail is `mail`.
    """

    id = "mailboxes"

    def __init__(
        self, accounts: PersonAccounts[MailboxAccount], limits: WebSettings | None = None
    ) -> None:
        pages = Pages(WebClient(limits or WebSettings()))
        super().__init__(accounts, MailboxTools(accounts, pages).read_emails())
