"""Meetings of people: transcripts, what was decided, and what begins soon."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugins.meetings.connector import MeetingsConnector


class Meetings(Plugin[NoSettings]):
    name = "meetings"
    title = "meetings: their transcripts, summaries and decisions"

    def build(self, given: Given[NoSettings]) -> Parts:
        connector = MeetingsConnector(
            given.database, people=given.people, documents=given.documents
        )
        return Parts(connectors=(connector,), upcoming=connector.upcoming)
