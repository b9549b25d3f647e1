"""The connector "network"."""

from bot.connectors.native import NativeConnector
from bot.connectors.network.tools import NetworkTools
from bot.web.client import WebClient


class NetworkConnector(NativeConnector):
    """Looks at hosts; stores nothing."""

    id = "network"

    def __init__(self, web: WebClient) -> None:
        super().__init__(*NetworkTools(web).all())
