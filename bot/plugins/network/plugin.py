"""Looks at hosts from this machine."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugins.network.tools import NetworkConnector


class Network(Plugin[NoSettings]):
    name = "network"
    title = "names, certificates, headers and ports of hosts"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(NetworkConnector(given.web),))
