"""/people/{slug}.md: a file about a person, with fields at the top and a list of notes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from bot.plugin.dates import zone
from bot.plugin.files import (
    FENCE,
    DefinitionError,
    FileEntry,
    FileText,
    FrontMatter,
    read_front_matter,
)
from bot.plugin.people import INNER_RANK
from bot.plugin.tables import Unit, format_utc, parse_utc
from bot.plugin.tools import (
    Reach,
    RecordProvenance,
    ToolContext,
    ToolError,
    new_id,
    one_line,
    slug_of,
    worst,
)
from bot.plugins.people import store
from bot.plugins.people.roster import MOST_NAMES, TITLE_CHARS, Roster
from bot.plugins.people.store import ROOT, PeopleRows, PersonNote, PersonRow

NAME_CHARS = 80
NOTE_CHARS = 500
MOST_MADE = 3_000
"""Files and notes that one person may make."""
_KEYS = ("name", "also", "title", "timezone")
_ONLY_YOURS = "## Notes that are not for everybody"
_WHERE = f"{ROOT}/ann-lee.md"


@dataclass(frozen=True)
class PersonView:
    """A file as one viewer sees it."""

    row: PersonRow
    notes: tuple[PersonNote, ...]
    left_out: int = 0
    """The viewer's own notes that are hidden here."""

    @property
    def provenances(self) -> list[RecordProvenance]:
        return [self.row.provenance, *(note.provenance for note in self.notes)]

    @property
    def text(self) -> str:
        row = self.row
        head = [f"name: {_quoted(row.name)}"]
        head += [f"also: [{', '.join(map(_quoted, row.other_names))}]"] if row.other_names else []
        head += [f"title: {_quoted(row.title)}"] if row.title else []
        head += [f"timezone: {row.timezone}"] if row.timezone else []
        for_all = [f"- {note.text}" for note in self.notes if not note.provenance.learned.private]
        others = [f"- {note.text}" for note in self.notes if note.provenance.learned.private]
        lines = [FENCE, *head, FENCE, *(["", *for_all] if for_all else [])]
        return "\n".join([*lines, *(["", _ONLY_YOURS, "", *others] if others else [])]) + "\n"

    @property
    def version(self) -> str:
        notes = [note.id for note in self.notes]
        return json.dumps([self.row.updated_at, notes])


class PeopleFiles:
    """Implements `FileSource`. A note written into a file is visible where it was written."""

    prefix = ROOT
    writable = True

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._rows: PeopleRows = roster.rows

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        await self._roster.add_newcomers(context.now)
        view = await self.view(context, slug_in(path))
        if view is None:
            return None
        origin = worst(view.provenances, "people", reader=context.person.id)
        private = any(one.learned.private for one in view.provenances)
        return FileText(
            path, view.text, view.version, origin, private, parse_utc(view.row.updated_at)
        )

    async def view(self, context: ToolContext, slug: str) -> PersonView | None:
        """The file as it is visible here, or None.

        Raises ToolError for a private one of the person's own.
        """
        row = await self._rows.at(slug) if slug else None
        if row is None or not is_shown(context, row):
            return None
        notes, left_out = await self._rows.notes(row.id, context.viewer)
        return PersonView(row, tuple(notes), left_out)

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        slug = slug_in(path)
        view = await self.view(context, slug)
        if (view.version if view else None) != version:
            raise ToolError(
                f"{path} was changed meanwhile; read it again and repeat the change on its present "
                "text"
            )
        head, notes = _parsed(path, text)
        if view is None:
            return await self._made(context, slug, head, notes)
        return self._fields_unit(context, view.row, head) + await self._notes_unit(
            context, view, notes
        )

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        view = await self.view(context, slug_in(path))
        if view is None or view.version != version:
            raise ToolError(f"{path} was changed meanwhile; read it again")
        if view.row.accounts:
            raise ToolError(
                "this file follows a profile and can't be deleted; its notes can be taken out, and "
                "the person themself can have it forgotten (people, action forget)"
            )
        if view.row.owner != context.person.id:
            raise ToolError("only the person who made this file can delete it; nothing was changed")
        return store.delete(view.row)

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        if path != ROOT:
            return None
        rows, left_out = await self._roster.seen(context.viewer, context.now)
        hidden = [FileEntry(f"{ROOT}/{number}", private=True) for number in range(left_out)]
        return (
            *(FileEntry(row.path, note=row.name, origin=row.provenance.origin) for row in rows),
            *hidden,
        )

    async def new_note(
        self, context: ToolContext, row: PersonRow, text: str, number: int = 0
    ) -> PersonNote:
        """A note about somebody, made by this call; `number` distinguishes several of one call."""
        said = one_line(text, "a note", NOTE_CHARS)
        if not said:
            raise ToolError("a note needs words: what is to be known about the person")
        id_ = await new_id(context, self._rows.id_taken)
        now = format_utc(context.now)
        id_ = f"{id_}-{number}" if number else id_
        return PersonNote(id_, row.id, context.person.id, said, now, RecordProvenance.of(context))

    async def new_row(self, context: ToolContext, head: "ProfileFields", slug: str) -> PersonRow:
        """A file about somebody whom a person mentioned.

        If the mention was in a public place, all members see the file.
        """
        require_member(context)
        if await self._rows.count_by(context.person.id) >= MOST_MADE:
            raise ToolError(
                f"they have {MOST_MADE} files and notes about people, which is the most; delete "
                "some first"
            )
        if not head.name:
            raise ToolError("name is missing: the name of the person")
        now = format_utc(context.now)
        return PersonRow(
            id=await new_id(context, self._rows.id_taken),
            slug=slug,
            owner=context.person.id,
            name=head.name,
            provenance=RecordProvenance.of(context),
            created_at=now,
            updated_at=now,
            other_names=head.also,
            title=head.title,
            timezone=head.timezone,
        )

    async def _made(
        self, context: ToolContext, slug: str, head: "ProfileFields", notes: Sequence[str]
    ) -> Unit:
        if not slug or slug != slug_of(slug):
            raise ToolError(
                f"a file about a person is named like {_WHERE}: {ROOT}/, letters and dashes, .md"
            )
        if await self._rows.taken(slug):
            raise ToolError(f"{ROOT}/{slug}.md can't be used; choose another name")
        row = await self.new_row(context, head, slug)
        made = [
            await self.new_note(context, row, text, number) for number, text in enumerate(notes, 1)
        ]
        return store.insert(row) + Unit.joined(map(store.insert_note, made))

    def _fields_unit(self, context: ToolContext, row: PersonRow, head: "ProfileFields") -> Unit:
        now = changed(context, row, head)
        return Unit() if now == row else store.update(row, now)

    async def _notes_unit(
        self, context: ToolContext, view: PersonView, notes: Sequence[str]
    ) -> Unit:
        """New lines become notes of this place; removed lines delete notes, if permitted."""
        kept = {" ".join(text.split()) for text in notes}
        there = {note.text for note in view.notes}
        gone = [note for note in view.notes if note.text not in kept]
        if any(
            note.owner != context.person.id and note.provenance.learned.private for note in gone
        ):
            raise ToolError(
                "a note that somebody else wrote in a private channel can't be taken out by others"
            )
        if gone:
            require_member(context)
        new = [
            text
            for text in dict.fromkeys(" ".join(text.split()) for text in notes)
            if text not in there
        ]
        if new:
            require_member(context)
        made = [
            await self.new_note(context, view.row, text, number)
            for number, text in enumerate(new, 1)
        ]
        return Unit.joined([*map(store.delete_note, gone), *map(store.insert_note, made)])


@dataclass(frozen=True)
class ProfileFields:
    """The fields of a file, as edited by hand."""

    name: str = ""
    also: tuple[str, ...] = ()
    title: str = ""
    timezone: str = ""


def changed(context: ToolContext, row: PersonRow, head: ProfileFields) -> PersonRow:
    """The file with fields that somebody edited by hand.

    Raises ToolError if its readers differ from those of this place.
    """
    fields = {
        "name": head.name,
        "other_names": head.also,
        "title": head.title,
        "timezone": head.timezone,
    }
    new = {field: value for field, value in fields.items() if value != getattr(row, field)}
    if not new:
        return row
    require_member(context)
    if not head.name:
        raise ToolError("name is missing: the name of the person")
    if row.provenance.learned.narrowed(context.learned) != row.provenance.learned:
        raise ToolError(
            "people who can't read this conversation can read these fields; add a note line "
            "instead, which stays here, or change them in a public channel"
        )
    return replace(
        row,
        name=head.name,
        other_names=head.also,
        title=head.title,
        timezone=head.timezone,
        by_hand=row.by_hand | frozenset(new),
        provenance=row.provenance.mixed_with(RecordProvenance.of(context)),
        updated_at=format_utc(context.now),
    )


def is_shown(context: ToolContext, row: PersonRow) -> bool:
    """Whether somebody may see a file here. Raises ToolError for a private one of their own."""
    if context.person.id in row.accounts:
        return True
    if row.forgotten_at is None and context.viewer.sees(row.owner, row.provenance.learned):
        return True
    if row.owner == context.person.id and row.provenance.learned.reach is not Reach.PUBLIC:
        raise ToolError(
            "this file is private and not shown here; the person can ask for it in a DM"
        )
    return False


def require_member(context: ToolContext) -> None:
    """Raises ToolError for guests, who see nobody but themselves."""
    if context.person.role.rank < INNER_RANK:
        raise ToolError("guests can't write about people; nothing was changed")


def slug_in(path: str) -> str:
    """The name of a file right below /people; empty for any other path."""
    name = path.removeprefix(f"{ROOT}/")
    return name.removesuffix(".md") if name.endswith(".md") and "/" not in name else ""


def _parsed(path: str, text: str) -> tuple[ProfileFields, list[str]]:
    try:
        read = read_front_matter(text, path)
        unknown = next((key for key in read.values if key not in _KEYS), None)
        if unknown is not None:
            raise read.bad(
                unknown,
                f"{unknown} is no field here; there are {', '.join(_KEYS)}; write the rest as "
                "notes",
            )
        return _head(read), _notes(read)
    except DefinitionError as error:
        raise ToolError(f"{error}; nothing was changed") from None


def _head(read: FrontMatter) -> ProfileFields:
    also: object = read.values.get("also") or []
    names = cast("list[object]", also) if isinstance(also, list) else [None]
    if not all(isinstance(one, str) for one in names):
        raise read.bad("also", "also is a list of names: [Ann, Annie]")
    timezone = read.text("timezone")
    if timezone and zone(timezone).key != timezone:
        raise read.bad("timezone", f"{timezone[:40]} is no time zone; write one like Europe/Berlin")
    return ProfileFields(
        one_line(read.text("name"), "name", NAME_CHARS),
        tuple(one_line(str(one), "also", NAME_CHARS) for one in names)[:MOST_NAMES],
        one_line(read.text("title"), "title", TITLE_CHARS),
        timezone,
    )


def _notes(read: FrontMatter) -> list[str]:
    """Each line of the body is a note; headings are ours."""
    lines = [line.strip() for line in read.body.splitlines()]
    return [
        line.removeprefix("- ").removeprefix("* ")
        for line in lines
        if line and not line.startswith("#")
    ]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
