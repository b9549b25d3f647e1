"""People for the tool `search`: by names, titles, and notes that the asker may see."""

from bot.clock import parse_utc
from bot.connectors.people.roster import Roster
from bot.connectors.people.store import PersonNote, PersonRow
from bot.connectors.records import worst
from bot.domain.search import EntityType, Hit, SearchHits, SearchQuery
from bot.domain.tool_context import ToolContext
from bot.storage.stems import StemmedQuery

SNIPPET_CHARS = 240


async def find_people(roster: Roster, context: ToolContext, wanted: SearchQuery) -> SearchHits:
    """People whose names or notes contain most of the words. Raises StorageError."""
    if wanted.is_about_chat:
        return SearchHits()
    rows, hidden = await roster.seen(context.viewer, context.now)
    words, every = StemmedQuery.of(wanted.query), await roster.rows.all_notes(context.viewer)
    found: list[tuple[float, Hit]] = []
    for row in rows:
        notes = every.get(row.id, [])
        text = " ".join([*row.names, row.title, *(note.text for note in notes)])
        if score := words.found_in(text):
            found.append((score, _hit(row, notes, context.person.id)))
    hits = [hit for _, hit in sorted(found, key=lambda one: -one[0])]
    return SearchHits([hit for hit in hits if _in_time(hit, wanted)][: wanted.limit], hidden)


def _in_time(hit: Hit, wanted: SearchQuery) -> bool:
    return (wanted.after is None or hit.at >= wanted.after) and (
        wanted.before is None or hit.at < wanted.before
    )


def _hit(row: PersonRow, notes: list[PersonNote], reader: str) -> Hit:
    provenances = [row.provenance, *(note.provenance for note in notes)]
    snippet = "; ".join(part for part in (row.title, *(note.text for note in notes)) if part)[
        :SNIPPET_CHARS
    ]
    return Hit(
        EntityType.PERSON,
        row.path,
        row.name,
        snippet,
        worst(provenances, "people", reader=reader),
        parse_utc(row.updated_at),
        private=any(one.learned.private for one in provenances),
    )
