"""Notes of people, and of agents for their own work."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugins.notes.connector import NotesConnector


class Notes(Plugin[NoSettings]):
    name = "notes"
    title = "notes of people, and of agents for their own work"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(NotesConnector(given.database),))
