"""Connected accounts: sealed tokens, and a client for each service."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.assembly.ground import Ground
from bot.assembly.plugins import known_services
from bot.connections.access import Connections
from bot.connections.client import ServiceClient
from bot.connections.connecting import Connecting
from bot.connections.credentials import Credentials, Keyring
from bot.connections.oauth import OAuth
from bot.connections.services import services
from bot.endpoints.settings import ConsoleSettings
from bot.storage.shared_changes import ACCOUNTS
from bot.web.client import WebClient
from bot.web.settings import WebSettings


@dataclass(frozen=True)
class Accounts:
    """The accounts of one app."""

    keys: Keyring
    credentials: Credentials
    connections: Connections
    connecting: Connecting
    clients: Mapping[str, ServiceClient]
    """By service id: of services where this home can have an account."""


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
    ground.changes.on_change(ACCOUNTS, credentials.read_again)
    return Accounts(keys, credentials, connections, connecting, clients)
