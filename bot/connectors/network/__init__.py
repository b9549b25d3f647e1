"""The connector "network": names, certificates, headers and ports of hosts, within what `web:` opens."""

from bot.connectors.network.connector import NetworkConnector

__all__ = ["NetworkConnector"]
