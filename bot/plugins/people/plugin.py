"""Who somebody is: files about people, whom a name means, and `/people`."""

from collections.abc import Sequence
from pathlib import Path

from bot.plugin.chat_commands import (
    Asked,
    ChatCommand,
    Completing,
    Completion,
    Language,
    Person,
    Role,
    left_out,
)
from bot.plugin.clock import Clock
from bot.plugin.files import FileSource
from bot.plugin.people import Directory
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.search import EntityType, Hit, SearchHits, SearchQuery
from bot.plugin.tables import StemmedQuery, UnitRejected, format_utc, parse_utc
from bot.plugin.tools import NativeConnector, ToolContext, worst
from bot.plugins.people import store
from bot.plugins.people.files import PeopleFiles
from bot.plugins.people.roster import PeopleByName, Roster, bearing, pairs
from bot.plugins.people.store import TABLES, PeopleRows, PersonNote, PersonRow
from bot.plugins.people.tool import people_tool
from bot.plugins.people.wording import (
    ABOUT,
    APART,
    CALLED,
    CHANGED,
    HOW,
    MAYBE,
    MERGED,
    MORE,
    NO_FILE,
    NOBODY,
    ONE_FILE,
    WHO_MAY,
)

PEOPLE_USAGE = "[merge|apart NAME NAME]"
SHOWN = 30


class PeopleCommands:
    """Files about people, without a model. Only a typed command merges two of them."""

    def __init__(self, rows: PeopleRows, clock: Clock) -> None:
        self._rows, self._clock = rows, clock

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "people",
                self.run,
                usage=PEOPLE_USAGE,
                about=ABOUT,
                called=CALLED,
                offers=self.offered,
            ),
        )

    async def offered(self, asks: Completing) -> Sequence[Completion]:
        """Files to begin a merge with; its second name is typed."""
        files, _ = await self._rows.seen(asks.viewer)
        return [
            Completion(f"{verb} {row.name}", f"{verb} {row.slug} ")
            for verb in ("merge", "apart")
            for row in files
        ]

    async def run(self, asked: Asked) -> str:
        """One command; repeated after a crash, it says that it is done."""
        verb, *names = asked.args.split()[:3] or [""]
        files, hidden = await self._rows.seen(await asked.viewer())
        language = asked.language
        if not verb:
            return await self._listed(files, hidden, language)
        if verb.casefold() not in {"merge", "apart"} or len(names) != 2:
            return HOW.said(language)
        found = [await self._named(files, name) for name in names]
        for name, row in zip(names, found, strict=True):
            if row is None:
                told = NO_FILE.said(language, name=name[:60])
                return f"{told} {HOW.said(language)}"
        one, other = found
        if one is None or other is None or one.id == other.id:
            return ONE_FILE.said(language)
        if not _may_merge(asked.person, one, other):
            return WHO_MAY.said(language)
        act = self._merge if verb.casefold() == "merge" else self._apart
        return await act(one, other, language)

    async def _named(self, files: list[PersonRow], name: str) -> PersonRow | None:
        """A file by its current or former name, or its person's; None for none or several."""
        slug = name.removeprefix("/people/").removesuffix(".md")
        row = await self._rows.at(slug)
        if row is not None and any(row.id == shown.id for shown in files):
            return row
        found = bearing(files, slug)
        return found[0] if len(found) == 1 else None

    async def _merge(self, one: PersonRow, other: PersonRow, language: Language) -> str:
        gone, kept = (other, one) if one.accounts and not other.accounts else (one, other)
        try:
            await self._rows.database.write(store.merge(gone, kept, format_utc(self._clock.now())))
        except UnitRejected:
            return CHANGED.said(language)
        return MERGED.said(language, gone=gone.path, kept=kept.path)

    async def _apart(self, one: PersonRow, other: PersonRow, language: Language) -> str:
        await self._rows.database.write(store.keep_apart(one, other))
        names = (f"{row.name} ({row.slug})" for row in (one, other))
        return APART.said(language, **dict(zip(("one", "other"), names, strict=True)))

    async def _listed(self, files: list[PersonRow], hidden: int, language: Language) -> str:
        lines = [
            f"- {row.name}{f', {row.title}' if row.title else ''} ({row.slug})"
            for row in files[:SHOWN]
        ]
        if len(files) > SHOWN:
            lines.append(f"- {MORE.said(language, len(files) - SHOWN)}")
        twins = await pairs(self._rows, files)
        lines += [MAYBE.said(language, one=one.slug, two=two.slug) for one, two in twins[:SHOWN]]
        lines += [f"{left_out(hidden, language)}."] if hidden else []
        return "\n".join(lines) or NOBODY.said(language)


def _may_merge(person: Person, one: PersonRow, other: PersonRow) -> bool:
    """The maker of both files may merge them; a Partner may merge files that all members read."""
    own = all(row.owner == person.id for row in (one, other))
    return own or person.role.rank >= Role.PARTNER.rank


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
