"""What time it is, and sums: neither needs to be guessed by a model."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugins.clock.connector import ClockConnector


class ClockPlugin(Plugin[NoSettings]):
    name = "clock"
    title = "what time it is, and sums"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(ClockConnector(given.clock),))
