"""What time it is, and sums: neither needs to be guessed by a model."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin


class ClockPlugin(Plugin[NoSettings]):
    name = "clock"
    title = "what time it is, and sums"

    def build(self, given: Given[NoSettings]) -> Parts:
        from bot.plugins.clock.connector import ClockConnector  # noqa: PLC0415 - not for `doctor`

        return Parts(connectors=(ClockConnector(given.clock),))
