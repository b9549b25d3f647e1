"""Looks at hosts from this machine."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin


class Network(Plugin[NoSettings]):
    name = "network"
    title = "names, certificates, headers and ports of hosts"

    def build(self, given: Given[NoSettings]) -> Parts:
        from bot.plugins.network.tools import NetworkConnector  # noqa: PLC0415 - not for `doctor`

        return Parts(connectors=(NetworkConnector(given.web),))
