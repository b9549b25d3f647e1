"""The connector "people", and how `search` finds people."""

from collections.abc import Sequence
from pathlib import Path

from bot.clock import parse_utc
from bot.connectors.native import NativeConnector
from bot.connectors.people.files import PeopleFiles
from bot.connectors.people.roster import Roster
from bot.connectors.people.store import PeopleRows, PersonNote, PersonRow
from bot.connectors.people.tool import people_tool
from bot.connectors.records import worst
from bot.domain.database import Database
from bot.domain.files import FileSource
from bot.domain.people import Directory
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
    return SearchHits([hit for hit in hits if wanted.covers(hit.at)][: wanted.limit], hidden)


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


class PeopleConnector(NativeConnector):
    """A file about every known person; guests see only the one about themselves.

    Implements `SearchSource`.
    """

    id = "people"
    finds = EntityType.PERSON
    found_with = "people"
    skills = Path(__file__).parent / "skills"

    def __init__(self, database: Database, directory: Directory) -> None:
        self.roster = Roster(PeopleRows(database), directory)
        super().__init__(people_tool(self.roster))

    async def find(self, context: ToolContext, wanted: SearchQuery) -> SearchHits:
        """People with these words. Raises StorageError."""
        return await find_people(self.roster, context, wanted)

    def file_sources(self) -> Sequence[FileSource]:
        return (PeopleFiles(self.roster),)
