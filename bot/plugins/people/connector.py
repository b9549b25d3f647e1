"""The connector "people", and how `search` finds people."""

from collections.abc import Sequence
from pathlib import Path

from bot.plugin.files import FileSource
from bot.plugin.people import Directory
from bot.plugin.search import EntityType, Hit, SearchHits, SearchQuery
from bot.plugin.tables import StemmedQuery, parse_utc
from bot.plugin.tools import NativeConnector, ToolContext, worst
from bot.plugins.people.files import PeopleFiles
from bot.plugins.people.roster import Roster
from bot.plugins.people.store import PeopleRows, PersonNote, PersonRow
from bot.plugins.people.tool import people_tool

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

    def __init__(self, rows: PeopleRows, directory: Directory) -> None:
        self.roster = Roster(rows, directory)
        super().__init__(people_tool(self.roster))

    async def find(self, context: ToolContext, wanted: SearchQuery) -> SearchHits:
        """People with these words. Raises StorageError."""
        return await find_people(self.roster, context, wanted)

    def file_sources(self) -> Sequence[FileSource]:
        return (PeopleFiles(self.roster),)
