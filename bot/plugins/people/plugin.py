"""Who somebody is: files about people, whom a name means, and `/people`."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugins.people.commands import PeopleCommands
from bot.plugins.people.connector import PeopleConnector
from bot.plugins.people.roster import PeopleByName
from bot.plugins.people.store import TABLES, PeopleRows


class PeoplePlugin(Plugin[NoSettings]):
    name = "people"
    title = "a file about each person, and who is who"
    tables = TABLES

    def build(self, given: Given[NoSettings]) -> Parts:
        rows = PeopleRows(given.database)
        return Parts(
            connectors=(PeopleConnector(rows, given.directory),),
            people=PeopleByName(rows),
            chat_commands=PeopleCommands(rows, given.clock).commands(),
        )
