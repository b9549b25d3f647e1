"""Meetings of people: transcripts, what was decided, and what begins soon."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugins.meetings.connector import MeetingsConnector
from bot.plugins.meetings.store import TABLES


class Meetings(Plugin[NoSettings]):
    name = "meetings"
    title = "meetings: their transcripts, summaries and decisions"
    tables = TABLES
    starts = ("meeting_prep",)

    def build(self, given: Given[NoSettings]) -> Parts:
        connector = MeetingsConnector(
            given.database, people=given.people, documents=given.documents
        )
        return Parts(connectors=(connector,), upcoming=connector.upcoming)
