"""The connector "mail"."""

from collections.abc import Callable, Sequence

from bot.plugin.mail import MailGround
from bot.plugin.plugin import Clock
from bot.plugin.services import WebClient
from bot.plugin.tables import Database
from bot.plugin.tools import NEVER, NativeConnector, Needs, ToolRegistration
from bot.plugins.mail import mailgun, resend
from bot.plugins.mail.inbound import Inbound
from bot.plugins.mail.settings import (
    MAILGUN_KEY,
    RESEND_KEY,
    MailSettings,
    receives_mail,
    sending_key,
)
from bot.plugins.mail.store import MailRows
from bot.plugins.mail.tools import MailTools


class MailConnector(NativeConnector):
    """For agents that have an address, if a service's key is set."""

    id = "mail"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        secret: Callable[[str], str],
        settings: MailSettings,
        web: WebClient,
        client_at: Callable[[str], WebClient],
    ) -> None:
        """`secret` gives the keys of the services, `client_at` the client for each."""
        self._database, self._clock, self._secret, self._web = database, clock, secret, web
        self._resend = resend.resend(
            settings.resend_url, secret, client_at(settings.resend_url), clock
        )
        carrier = mailgun.mailgun(
            settings.mailgun_url, secret, client_at(settings.mailgun_url), clock
        )
        receives = receives_mail(secret)
        key = sending_key(settings, secret)
        domain = settings.mailgun_domain if key == MAILGUN_KEY else ""
        tools = MailTools(MailRows(database), domain, self._resend, carrier, receives)
        super().__init__()
        has_inbox = secret(RESEND_KEY)
        sends = secret(key)
        addressed = Needs(address=True)
        self.needs = addressed if sends or has_inbox else NEVER
        self._registrations = (
            ToolRegistration([tools.send_tool()], addressed if sends else NEVER),
            ToolRegistration([tools.inbox_tool()], addressed if receives else NEVER),
        )

    def registrations(self) -> Sequence[ToolRegistration]:
        return self._registrations

    def inbound(self, ground: MailGround) -> Inbound:
        """The receiver of notices about new mail."""
        return Inbound(self._database, self._clock, self._secret, self._resend, self._web, ground)
