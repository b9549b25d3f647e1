"""Meetings for the tool `search`: found by words of transcripts, summaries and notes."""

from datetime import UTC, datetime

from bot.clock import parse_utc
from bot.connectors.meetings.store import Meeting, MeetingMatch, MeetingRows
from bot.connectors.records import as_read_by
from bot.domain.origins import Origin, Trust
from bot.domain.search import EntityType, Hit, SearchHits, SearchQuery
from bot.domain.tool_context import ToolContext
from bot.storage.fulltext import fts_query
from bot.storage.stems import StemmedQuery

LOOKED_THROUGH = 100
SNIPPET_CHARS = 240


async def find_meetings(rows: MeetingRows, context: ToolContext, wanted: SearchQuery) -> SearchHits:
    """Meetings that the viewer may see here, each once, with its best matching text.

    Raises StorageError.
    """
    if wanted.is_about_chat:
        return SearchHits()
    seen = await rows.seen(context.viewer)
    expression = fts_query(wanted.query)
    if not expression:
        newest = [] if wanted.query else await rows.newest(seen, LOOKED_THROUGH)
        hits = [
            _hit(meeting, "", Origin(Trust.PERSON, "meeting"), context.person.id)
            for meeting in newest
        ]
        return SearchHits([hit for hit in hits if _in_time(hit.at, wanted)][: wanted.limit])
    best: dict[str, MeetingMatch] = {}
    for match in await rows.match(seen, expression, LOOKED_THROUGH):
        best.setdefault(match.meeting.id, match)
    words = StemmedQuery.of(wanted.query)
    reader = context.person.id
    hits = [
        _hit(one.meeting, _around(one.text, words), as_read_by(reader, one.origin), reader)
        for one in best.values()
    ]
    return SearchHits([hit for hit in hits if _in_time(hit.at, wanted)][: wanted.limit])


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


def _in_time(at: datetime, wanted: SearchQuery) -> bool:
    return (wanted.after is None or at >= wanted.after) and (
        wanted.before is None or at < wanted.before
    )
