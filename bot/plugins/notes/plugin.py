"""Notes of people, and of agents for their own work."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin


class Notes(Plugin[NoSettings]):
    name = "notes"
    title = "notes of people, and of agents for their own work"

    def build(self, given: Given[NoSettings]) -> Parts:
        from bot.plugins.notes.connector import NotesConnector  # noqa: PLC0415 - not for `doctor`

        return Parts(connectors=(NotesConnector(given.database),))
