"""Tools over the calendars that people connected."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugins.calendars.connector import CalendarConnector


class CalendarsPlugin(Plugin[NoSettings]):
    name = "calendars"
    title = "reading people's calendars, and creating events in them"
    skills_with = "calendar"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(CalendarConnector(given.calendars),))
