"""The connector "network"."""

from bot.connectors.native import NativeConnector
from bot.connectors.network.name_servers import NameServers
from bot.connectors.network.tools import NetworkTools
from bot.web.client import WebClient


class NetworkConnector(NativeConnector):
    """Looks at hosts; stores nothing."""

    id = "network"

    def __init__(self, web: WebClient, name_servers: NameServers | None = None) -> None:
        super().__init__(*NetworkTools(web, name_servers or NameServers()).all())
