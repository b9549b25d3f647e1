"""people: who somebody is, when one last talked with them, and notes about them."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field

from bot.plugin.dates import local, zone
from bot.plugin.people import DeliveryError, KnownPerson
from bot.plugin.tables import Unit, format_utc
from bot.plugin.tools import (
    JsonObject,
    NativeTool,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolResult,
    Undoable,
    free_slug,
    left_out,
    new_id,
    one_line,
    slug_of,
    worst,
)
from bot.plugins.people import store
from bot.plugins.people.files import (
    PeopleFiles,
    PersonView,
    ProfileFields,
    is_shown,
    require_member,
    slug_in,
)
from bot.plugins.people.roster import TITLE_CHARS, Roster, bearing, doubles
from bot.plugins.people.store import PersonRow
from bot.plugins.people.wording import LOOKING_UP

SHOWN = 5
LISTED = 50
SHOWN_NOTES = 20
_SELF = frozenset({"me", "myself", "i", "ich", "mich", "moi", "yo", "io"})


class PeopleArguments(ToolArguments):
    """The action decides which fields count."""

    action: Literal["find", "add", "note", "forget"] = "find"
    query: str | None = Field(
        default=None, description="find: a name, a mention or `me`; without, everybody."
    )
    person: str | None = Field(default=None, description="note: their file, /people/ann-lee.md")
    note: str | None = Field(default=None, description="One line that is worth knowing later.")
    name: str | None = Field(default=None, description="add: their full name.")
    title: str | None = Field(default=None, description="add: what they do.")
    timezone: str | None = None


def people_tool(roster: Roster) -> NativeTool[PeopleArguments]:
    """The tool over the files; a call sees only files that `context.person` may see there."""
    tool = _People(roster)

    async def run(context: ToolContext, arguments: PeopleArguments) -> ToolResult:
        match arguments.action:
            case "find":
                return await tool.find(context, arguments.query or "")
            case "add":
                return await tool.add(context, arguments)
            case "note":
                return await tool.note(context, arguments)
            case "forget":
                return await tool.forget(context)

    return NativeTool("people", PeopleArguments, run, keeps=True, doing=LOOKING_UP)


class _People:
    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._files = PeopleFiles(roster)

    async def find(self, context: ToolContext, query: str) -> ToolResult:
        files, hidden = await self._roster.seen(context.viewer, context.now)
        found = await self._meant(context, query, files) if query else files
        if not query or len(found) > SHOWN:
            return _listed(found, hidden, context.person.id)
        shown, units, provenances = list[JsonObject](), list[Unit](), list[PersonView]()
        for row in found:
            now, unit = await self._roster.refreshed(row, context.now)
            notes, unseen = await self._roster.rows.notes(row.id, context.viewer)
            view = PersonView(now, tuple(notes), unseen)
            shown.append(await self._shown(context, view, files))
            units.append(unit)
            provenances.append(view)
        answer: JsonObject = {"people": shown}
        if not shown:
            answer["hint"] = "nobody here is called that; the name may be written in another way"
        every = [one for view in provenances for one in view.provenances]
        return ToolResult(
            json.dumps(answer, ensure_ascii=False),
            origin=worst(every, "tool:people", reader=context.person.id),
            private=any(one.learned.private for one in every),
            unit=Unit.joined(units),
            summary=f"{len(shown)} {'person' if len(shown) == 1 else 'people'}",
        )

    async def _meant(
        self, context: ToolContext, query: str, files: Sequence[PersonRow]
    ) -> list[PersonRow]:
        if query.casefold() in _SELF:
            own = await self._roster.rows.of(context.person.id)
            return [own] if own else []
        if (
            (slug := slug_in(query))
            and (row := await self._roster.rows.at(slug))
            and is_shown(context, row)
        ):
            return [row]
        account = self._roster.directory.mentioned(query, context.conversation)
        if account is None:
            return [row for row in files if query in row.accounts] or bearing(files, query)
        row = await self._roster.rows.of(account) or await self._stranger(context, account)
        return [row] if row is not None and is_shown(context, row) else []

    async def _stranger(self, context: ToolContext, account: str) -> PersonRow | None:
        """A file about somebody who was mentioned and never wrote, if their platform knows them."""
        try:
            require_member(context)
            profile = await self._roster.directory.profile(account)
        except (ToolError, DeliveryError):
            return None
        if profile is None:
            return None
        return await self._roster.begin(
            KnownPerson(account, profile.name, 1, profile.timezone), context.now
        )

    async def _shown(
        self, context: ToolContext, view: PersonView, files: Sequence[PersonRow]
    ) -> JsonObject:
        row = view.row
        said: JsonObject = {
            "file": row.path,
            "name": row.name,
            "also": list(row.other_names),
            "title": row.title,
        }
        if row.timezone:
            theirs = context.now.astimezone(zone(row.timezone))
            said |= {"timezone": row.timezone, "their_time": f"{theirs:%A %H:%M}"}
        said["notes"] = [note.text for note in view.notes[-SHOWN_NOTES:]]
        if view.left_out:
            said["left_out"] = left_out(view.left_out)
        if row.accounts and context.viewer.inner and context.person.id not in row.accounts:
            said |= await self._talked(context, row)
        if twins := await doubles(self._roster.rows, row, files):
            said["maybe_the_same"] = [other.path for other in twins[:SHOWN]]
            said["offer"] = f"/people merge {twins[0].slug} {row.slug}"
        return {key: value for key, value in said.items() if value}

    async def _talked(self, context: ToolContext, row: PersonRow) -> JsonObject:
        """Only public places count: where else somebody writes is not for everybody."""
        last = await self._roster.directory.last_talk(context.person.id, row.accounts)
        told: JsonObject = {}
        if last.seen is not None:
            told["last_wrote"] = f"{local(last.seen, context.timezone):%A %Y-%m-%d %H:%M}"
        if last.together is not None:
            told["last_talked"] = f"{local(last.together, context.timezone):%A %Y-%m-%d %H:%M}"
            told |= {"where": last.where} if last.where else {}
        return told

    async def add(self, context: ToolContext, arguments: PeopleArguments) -> ToolResult:
        name = one_line(arguments.name or "", "name", 80)
        timezone = arguments.timezone or ""
        if timezone and zone(timezone).key != timezone:
            raise ToolError(f"{timezone[:40]!r} is no time zone; give one like Europe/Berlin")
        files, _ = await self._roster.seen(context.viewer, context.now)
        id_ = await new_id(context, self._roster.rows.id_taken)
        slug = await free_slug(slug_of(name), id_, context.learned, self._roster.rows.taken)
        head = ProfileFields(
            name, (), one_line(arguments.title or "", "title", TITLE_CHARS), timezone
        )
        row = await self._files.new_row(context, head, slug)
        unit = store.insert(row)
        if arguments.note:
            unit += store.insert_note(await self._files.new_note(context, row, arguments.note, 1))
        answer: JsonObject = {"file": row.path}
        if twins := await doubles(self._roster.rows, row, files):
            answer["maybe_the_same"] = [other.path for other in twins[:SHOWN]]
            answer["offer"] = f"/people merge {row.slug} {twins[0].slug}"
        return _done(row, answer, unit, f"noted {name}")

    async def note(self, context: ToolContext, arguments: PeopleArguments) -> ToolResult:
        require_member(context)
        view = await self._files.view(context, slug_in(arguments.person or ""))
        if view is None:
            raise ToolError(
                f"there is no file {arguments.person or ''}; find says what it is called"
            )
        note = await self._files.new_note(context, view.row, arguments.note or "")
        if note.text in {one.text for one in view.notes}:
            return _done(
                view.row,
                {"file": view.row.path, "note": "stood there already"},
                Unit(),
                "noted already",
            )
        answer: JsonObject = {"file": view.row.path, "noted": note.text}
        answer["seen_by"] = "who reads this place" if context.learned.private else "all members"
        done = _done(view.row, answer, store.insert_note(note), f"noted about {view.row.name}")
        back = Undoable("note about somebody", "added", view.row.name, store.delete_note(note))
        return replace(done, undo=(back,))

    async def forget(self, context: ToolContext) -> ToolResult:
        row = await self._roster.rows.of(context.person.id)
        if row is None or row.forgotten_at is not None:
            raise ToolError("no file is kept about them")
        answer: JsonObject = {
            "forgotten": row.path,
            "stays": "their name where they wrote, and what somebody noted for themself alone",
        }
        return _done(row, answer, store.forget(row, format_utc(context.now)), "forgot their file")


def _listed(found: Sequence[PersonRow], hidden: int, reader: str) -> ToolResult:
    lines: list[JsonObject] = [
        {
            key: value
            for key, value in {"file": row.path, "name": row.name, "title": row.title}.items()
            if value
        }
        for row in found[:LISTED]
    ]
    answer: JsonObject = {"people": lines}
    if len(found) > LISTED:
        answer["not_shown"] = len(found) - LISTED
    if hidden:
        answer["left_out"] = left_out(hidden)
    provenances = [row.provenance for row in found[:LISTED]]
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        origin=worst(provenances, "tool:people", reader=reader),
        private=any(one.learned.private for one in provenances),
        summary=f"{len(found)} people",
    )


def _done(row: PersonRow, answer: JsonObject, unit: Unit, summary: str) -> ToolResult:
    text = json.dumps(answer, ensure_ascii=False)
    origin = worst([row.provenance], "tool:people")
    return ToolResult(
        text, origin=origin, private=row.provenance.learned.private, unit=unit, summary=summary
    )
