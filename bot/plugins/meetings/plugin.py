"""Meetings of people: transcripts, what was decided, and what begins soon."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bot.plugin.clock import parse_utc
from bot.plugin.events import Upcoming
from bot.plugin.files import FileSource
from bot.plugin.people import FindsPeople
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.search import EntityType, Hit, SearchHits, SearchQuery
from bot.plugin.tables import Database, RecallQuery, Recollection, StemmedQuery, Unit, fts_query
from bot.plugin.tools import IN_DM, NativeConnector, Origin, ToolContext, Trust, as_read_by
from bot.plugins.meetings.files import MeetingFiles, origin_for
from bot.plugins.meetings.store import (
    TABLES,
    Meeting,
    MeetingMatch,
    MeetingRows,
    TextName,
    delete_summary,
)
from bot.plugins.meetings.summary import decisions_of
from bot.plugins.meetings.tool import Around, meetings_tool
from bot.plugins.meetings.transcripts import looks_like_transcript

RECALLED = 50
"""The number of summaries, newest first, that `remember` looks through."""
LOOKED_THROUGH = 100
SNIPPET_CHARS = 240


class MeetingsConnector(NativeConnector):
    """Meetings, each belonging to the place where it was made, kept in the database.

    Implements `SearchSource` and `TakesTranscripts`.
    """

    id = "meetings"
    finds = EntityType.MEETING
    found_with = "meetings"
    recalled_by = "meetings"
    skills = Path(__file__).parent / "skills"

    def __init__(
        self,
        database: Database,
        *,
        people: FindsPeople | None = None,
        documents: FileSource | None = None,
    ) -> None:
        """`people` links the owners of tasks; `documents` has transcripts sent as files."""
        self.rows = MeetingRows(database)
        super().__init__(meetings_tool(self.rows, Around(people, documents)))

    async def find(self, context: ToolContext, wanted: SearchQuery) -> SearchHits:
        """Meetings with these words in a text, each once, with its best matching text.

        Raises StorageError.
        """
        if wanted.is_about_chat:
            return SearchHits()
        seen, reader = await self.rows.seen(context.viewer), context.person.id
        if expression := fts_query(wanted.query):
            best: dict[str, MeetingMatch] = {}
            for match in await self.rows.match(seen, expression, LOOKED_THROUGH):
                best.setdefault(match.meeting.id, match)
            words = StemmedQuery.of(wanted.query)
            hits = [
                _hit(one.meeting, _around(one.text, words), as_read_by(reader, one.origin), reader)
                for one in best.values()
            ]
        else:
            newest = [] if wanted.query else await self.rows.newest(seen, LOOKED_THROUGH)
            made = Origin(Trust.PERSON, "meeting")
            hits = [_hit(meeting, "", made, reader) for meeting in newest]
        return SearchHits([hit for hit in hits if wanted.covers(hit.at)][: wanted.limit])

    def is_transcript(self, name: str, text: str) -> bool:
        return looks_like_transcript(name, text)

    async def upcoming(self, start: datetime, end: datetime) -> Sequence[Upcoming]:
        """The meetings that begin in this time, earliest first. Raises StorageError."""
        return [_upcoming(one) for one in await self.rows.between(start, end)]

    def file_sources(self) -> Sequence[FileSource]:
        return (MeetingFiles(self.rows),)

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        """Decisions from the person's own meetings and from those that they may see here."""
        in_dm = replace(context.viewer, place=IN_DM)
        found = {
            meeting.id: meeting
            for viewer in dict.fromkeys((context.viewer, in_dm))
            for meeting in await self.rows.newest(await self.rows.seen(viewer), RECALLED)
        }
        recalled = [await self._recollection(context, meeting) for meeting in found.values()]
        return [one for one in recalled if one is not None]

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        """The decisions of the person's own meetings; nobody can forget those of others."""
        meeting = await self.rows.find(id_.removeprefix(f"{self.id}:"))
        own = meeting is not None and meeting.owner == context.person.id
        return await self._recollection(context, meeting) if own and meeting else None

    def removal(self, context: ToolContext, id_: str) -> Unit:
        return delete_summary(context.person.id, id_.removeprefix(f"{self.id}:"))

    async def _recollection(self, context: ToolContext, meeting: Meeting) -> Recollection | None:
        summary = await self.rows.text(meeting.id, TextName.SUMMARY)
        decided = decisions_of(summary.text) if summary else []
        if summary is None or not decided:
            return None
        return Recollection(
            f"{self.id}:{meeting.id}",
            "meeting",
            f"Decided in the meeting {meeting.title} on {meeting.day}: {'; '.join(decided)}",
            origin_for(context, summary),
            parse_utc(meeting.starts_at or summary.updated_at),
            weight=2,
            learned=meeting.provenance.learned,
        )


def _upcoming(meeting: Meeting) -> Upcoming:
    people = f" With {', '.join(meeting.people)}." if meeting.people else ""
    return Upcoming(
        f"meeting:{meeting.id}",
        f"The meeting “{meeting.title}”",
        meeting.title,
        meeting.begins,
        meeting.owner,
        meeting.provenance.learned,
        f"Its files: {meeting.path}.{people}",
    )


def _around(text: str, words: StemmedQuery) -> str:
    begin = max(0, words.spot(text) - SNIPPET_CHARS // 4)
    return " ".join(text[begin : begin + SNIPPET_CHARS].split())


def _hit(meeting: Meeting, snippet: str, origin: Origin, reader: str) -> Hit:
    provenance = meeting.provenance
    worst = max(origin, as_read_by(reader, provenance.origin), key=lambda one: one.trust)
    day = datetime.fromisoformat(meeting.day).replace(tzinfo=UTC)
    at = parse_utc(meeting.starts_at) if meeting.starts_at else day
    return Hit(
        EntityType.MEETING,
        meeting.path,
        meeting.title,
        snippet,
        worst,
        at,
        private=provenance.learned.private,
    )


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
