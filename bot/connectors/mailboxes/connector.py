"""The connector "mailboxes"."""

from bot.connectors.accounts import AccountsConnector, PersonAccounts
from bot.connectors.mailboxes.emails import MailboxAccount
from bot.connectors.mailboxes.tools import MailboxTools
from bot.web.client import WebClient
from bot.web.pages import Pages
from bot.web.settings import WebSettings


class MailboxesConnector(AccountsConnector[MailboxAccount]):
    """For people who connected a mailbox: their own mail.

    The agent's own mail is `mail`.
    """

    id = "mailboxes"

    def __init__(
        self, accounts: PersonAccounts[MailboxAccount], limits: WebSettings | None = None
    ) -> None:
        pages = Pages(WebClient(limits or WebSettings()))
        super().__init__(accounts, MailboxTools(accounts, pages).read_emails())
