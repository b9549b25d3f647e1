"""Connected accounts: sealed tokens, and a client for each service."""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from bot.assembly.ground import Ground
from bot.assembly.plugins import known_services
from bot.connections.access import Connections
from bot.connections.client import ServiceClient
from bot.connections.connecting import Connecting
from bot.connections.credentials import Credentials, Keyring
from bot.connections.oauth import OAuth
from bot.connections.services import services
from bot.connectors.accounts import PersonAccounts
from bot.connectors.calendars import CalendarAccount
from bot.connectors.mailboxes import MailboxAccount
from bot.endpoints.settings import ConsoleSettings
from bot.errors import SettingsError
from bot.plugin.plugin import AnyPlugin, Parts
from bot.storage.shared_changes import ACCOUNTS
from bot.tools.native.registry import Usable
from bot.web.client import WebClient
from bot.web.settings import WebSettings


class KeptElsewhere:
    """What people keep at services that they connected, as plug-ins reach it.

    It is filled while the plug-ins are built.
    """

    def __init__(self, usable: Usable) -> None:
        self._mailboxes: dict[str, MailboxAccount] = {}
        self._calendars: dict[str, CalendarAccount] = {}
        self.mailboxes = PersonAccounts(usable, self._mailboxes)
        self.calendars = PersonAccounts(usable, self._calendars)

    @property
    def services(self) -> Set[str]:
        """Empty where nobody can connect any."""
        return self.mailboxes.services | self.calendars.services

    def take(self, plugin: AnyPlugin, parts: Parts) -> None:
        """Raises SettingsError for a service that is not the plug-in's own."""
        others = {*parts.mailboxes, *parts.calendars} - {one.id for one in plugin.services}
        if others:
            raise SettingsError(
                f"the plug-in {plugin.name!r} keeps mail or calendars of {', '.join(others)}, "
                "which is no service of its own; its author has to name it in `services`"
            )
        self._mailboxes |= parts.mailboxes
        self._calendars |= parts.calendars


@dataclass(frozen=True)
class Accounts:
    """The accounts of one app."""

    keys: Keyring
    credentials: Credentials
    connections: Connections
    connecting: Connecting
    clients: Mapping[str, ServiceClient]
    """By service id: of services where this home can have an account."""
    kept: KeptElsewhere


def build_accounts(ground: Ground, *, every_service: bool) -> Accounts:
    """`every_service` gives clients of all services, although nobody can use them."""
    settings, clock = ground.settings, ground.clock
    keys = Keyring(settings.secret)
    credentials = Credentials(ground.database, keys, clock)
    web = WebClient(settings.get(WebSettings))
    oauth = OAuth(web, clock)
    connections = Connections(
        services(
            settings.section("services"),
            settings.secret,
            known_services(ground.plugins),
        ),
        credentials,
        oauth,
        clock,
        ground.exclusive,
    )
    clients = {
        one.id: ServiceClient(one, connections, web, clock)
        for one in connections.services.values()
        if every_service or credentials.ready or one.workspace_token
    }
    console = settings.get(ConsoleSettings)
    connecting = Connecting(
        ground.database,
        clock,
        keys,
        connections,
        oauth,
        console.public_url,
        console.port,
    )
    kept = KeptElsewhere(connections.usable)
    ground.changes.on_change(ACCOUNTS, credentials.read_again)
    return Accounts(keys, credentials, connections, connecting, clients, kept)
