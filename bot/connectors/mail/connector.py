"""The connector "mail"."""

from collections.abc import Callable, Collection, Sequence

from bot.connectors.mail import mailgun, resend
from bot.connectors.mail.inbound import Announce, Inbound
from bot.connectors.mail.settings import (
    MAILGUN_KEY,
    RESEND_KEY,
    MailSettings,
    receives_mail,
)
from bot.connectors.mail.store import MailRows
from bot.connectors.mail.tools import MailTools
from bot.connectors.native import NativeConnector
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.tools.native.registry import NEVER, Needs, ToolRegistration
from bot.web.client import WebClient
from bot.web.service import service_client
from bot.web.settings import WebSettings


class MailConnector(NativeConnector):
    """For agents that have an address, if a service's key is set."""

    id = "mail"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        secret: Callable[[str], str | None] = lambda _name: None,
        settings: MailSettings | None = None,
        limits: WebSettings | None = None,
    ) -> None:
        """`secret` gives the keys of the services; `limits` are those of every request."""
        self._settings, limits = settings or MailSettings(), limits or WebSettings()
        self._database, self._clock, self._secret = database, clock, secret
        self._web = WebClient(limits)
        self._resend = resend.resend(
            self._settings.resend_url,
            secret,
            service_client(limits, self._settings.resend_url),
            clock,
        )
        carrier = mailgun.mailgun(
            self._settings.mailgun_url,
            secret,
            service_client(limits, self._settings.mailgun_url),
            clock,
        )
        self.receives = receives_mail(secret)
        tools = MailTools(MailRows(database), self._settings, self._resend, carrier, self.receives)
        super().__init__()
        by_mailgun = secret(MAILGUN_KEY) and self._settings.mailgun_domain
        has_inbox = secret(RESEND_KEY)
        reads = has_inbox and self.receives
        sends = by_mailgun if self._settings.send_with == "mailgun" else has_inbox
        addressed = Needs(address=True)
        self.needs = addressed if sends or has_inbox else NEVER
        self._registrations = (
            ToolRegistration([tools.send_tool()], addressed if sends else NEVER),
            ToolRegistration([tools.inbox_tool()], addressed if reads else NEVER),
        )

    def registrations(self) -> Sequence[ToolRegistration]:
        return self._registrations

    def inbound(self, mailboxes: Callable[[], Collection[str]], announce: Announce) -> Inbound:
        """The receiver of notices about new mail."""
        return Inbound(
            self._database,
            self._clock,
            self._settings,
            self._secret,
            self._resend,
            self._web,
            mailboxes,
            announce,
        )
