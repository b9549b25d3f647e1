"""The connector "network": names, certificates, headers and ports, within `web:`."""

from bot.connectors.network.connector import NetworkConnector

__all__ = ["NetworkConnector"]
