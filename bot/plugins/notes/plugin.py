"""manage_notes: notes of people on two boards, and of agents for their own work."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field

from bot.plugin.dates import due_in_words, local, parse_due, show_due
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tables import Database, RecallQuery, Recollection, Unit, format_utc, parse_utc
from bot.plugin.tools import (
    IN_DM,
    JsonObject,
    Kept,
    Lasting,
    Makes,
    NativeConnector,
    NativeTool,
    Noun,
    Phrase,
    RecordProvenance,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolResult,
    Translations,
    Undoable,
    elsewhere,
    left_out,
    new_id,
    one_line,
    showing,
    titled,
    within,
)
from bot.plugins.notes import store
from bot.plugins.notes.store import Board, Note, NoteChange, NoteRows

_LOOKING_AFTER = Phrase("Looking after your notes")

TITLE_CHARS = 200
BODY_CHARS = 8_000
SHOWN_NOTES = 50
RECALLED_NOTES = 500
"""The number of a person's notes that `remember` looks through: due ones, then the latest."""
SHOWN_BODY_CHARS = 300
"""Characters of each body in a list; a list with a note_id shows the whole body."""


_KEEP = Phrase("keep the note {title}")
_CHANGE = Phrase("change the note {title}")


class ManageNotesArguments(ToolArguments):
    """Exactly the published parameters, plus note_id, body and due."""

    action: Literal["add", "list", "update"]
    title: str | None = None
    is_agent_note: bool
    note_id: str | None = Field(
        default=None,
        description="Id as list shows it; needed by update. With list: that note in full.",
    )
    body: str | None = Field(
        default=None, description="The text under the title; empty text removes it."
    )
    due: str | None = Field(
        default=None,
        description=(
            "As the person said it ('tomorrow at 9'), or 2026-11-28T15:00; empty text removes it."
        ),
    )


class NotesConnector(NativeConnector):
    """A user board per person and an agent board per agent, kept in the database.

    A call sees only notes that `context.person` may see with `context.agent`.
    """

    id = "notes"
    recalled_by = "manage_notes"

    def __init__(self, database: Database) -> None:
        self._rows = NoteRows(database)
        super().__init__(
            NativeTool(
                "manage_notes",
                ManageNotesArguments,
                self._run,
                pure=True,
                makes=self._makes,
                tells=self._tells,
                doing=_LOOKING_AFTER,
                deed=ToolDeed(Noun.NOTE, "title"),
                keeps=True,
            )
        )

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        """The person's board for `remember`; an agent's board is a workspace, not a memory."""
        everywhere = replace(context.viewer, place=IN_DM)
        seen = await self._rows.seen(Board.USER, context.person.id, everywhere)
        return [_recollection(note) for note in await self._rows.list(seen, RECALLED_NOTES)]

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        note = await self._rows.find(Board.USER, context.person.id, id_.removeprefix(f"{self.id}:"))
        return None if note is None else _recollection(note)

    def removal(self, context: ToolContext, id_: str) -> Unit:
        return self.forgetting(context.person.id, id_)

    async def kept_of(self, person: str) -> Sequence[Recollection]:
        return [_recollection(one) for one in await self._rows.owned(person)]

    def forgetting(self, person: str, id_: str) -> Unit:
        return store.delete(person, id_.removeprefix(f"{self.id}:"))

    async def _run(self, context: ToolContext, arguments: ManageNotesArguments) -> ToolResult:
        match arguments.action:
            case "list":
                return await self._list(context, arguments)
            case "add":
                return await self._add(context, arguments)
            case "update":
                return await self._update(context, arguments)

    async def _tells(self, context: ToolContext, arguments: ManageNotesArguments) -> Translations:
        if arguments.action == "add":
            return _KEEP.filled(title=titled(arguments.title or ""))
        return _CHANGE.filled(title=titled((await self._find(context, arguments)).title))

    async def _list(self, context: ToolContext, arguments: ManageNotesArguments) -> ToolResult:
        board = _board(arguments)
        if arguments.note_id:
            return _one(await self._find(context, arguments), context, Unit(), "")
        seen = await self._rows.seen(board, _whose(board, context), context.viewer)
        notes = await self._rows.list(seen, SHOWN_NOTES)
        shown = [_shown(note, context, SHOWN_BODY_CHARS) for note in notes]
        answer: JsonObject = {"board": str(board), "notes": shown}
        if not (notes or seen.left_out):
            more = elsewhere(context, remember="all that is known of them", search="documents")
            answer["hint"] = f"no note is on this board{more}"
        total = await self._rows.count(seen)
        if total > len(notes):
            answer["not_shown"] = total - len(notes)
        if seen.left_out:
            answer["left_out"] = left_out(seen.left_out)
        return _result(answer, notes, Unit(), f"{total} note{'' if total == 1 else 's'}")

    async def _add(self, context: ToolContext, arguments: ManageNotesArguments) -> ToolResult:
        title = one_line(arguments.title or "", "title", TITLE_CHARS)
        if not title:
            raise ToolError("add needs a title: say in a few words what the note is about")
        now = format_utc(context.now)
        note = Note(
            id=await new_id(context, self._rows.taken),
            board=_board(arguments),
            owner=context.person.id,
            title=title,
            provenance=RecordProvenance.of(context),
            created_at=now,
            updated_at=now,
            body=within(arguments.body or "", "body", BODY_CHARS),
            due=await parse_due(arguments.due or "", "due", context),
        )
        back = Undoable("note", "added", title, store.delete_new(note))
        return replace(_one(note, context, store.insert(note), f"noted “{title}”"), undo=(back,))

    async def _update(self, context: ToolContext, arguments: ManageNotesArguments) -> ToolResult:
        note = await self._find(context, arguments)
        provenance = note.provenance.mixed_with(RecordProvenance.of(context))
        if note.board is Board.AGENT and provenance.learned != note.provenance.learned:
            raise ToolError(
                "people who can't read this conversation can read this note of your board;"
                " add a new note here instead of changing that one"
            )
        change = await _change(context, arguments)
        if change == NoteChange():
            raise ToolError("update needs something to change: title, body or due")
        now = format_utc(context.now)
        changed = replace(
            note,
            title=note.title if change.title is None else change.title,
            body=note.body if change.body is None else change.body,
            due=None if change.clear_due else change.due or note.due,
            updated_at=now,
            provenance=provenance,
        )
        back = Undoable("note", "changed", note.title, store.put_back(note, now))
        unit = store.update(note, change, provenance, now)
        return replace(_one(changed, context, unit, f"changed “{changed.title}”"), undo=(back,))

    async def _makes(
        self, context: ToolContext, arguments: ManageNotesArguments
    ) -> Sequence[Makes]:
        """An update that loses words of a person's note. The other board is the agent's own."""
        if arguments.action != "update":
            return ()
        note = await self._find(context, arguments)
        title, body = arguments.title, arguments.body
        adds = (title is None or title == note.title) and (body is None or note.body in body)
        if note.board is Board.AGENT or (adds and arguments.due is None):
            return ()
        seen = await self._rows.seen(note.board, _whose(note.board, context), context.viewer)
        every = await self._rows.list(seen, SHOWN_NOTES)
        others = tuple(Kept(one.id, (one.title,)) for one in every if one.id != note.id)
        return (Makes(Lasting.REPLACES, replaced=Kept(note.id, (note.title,)), others=others),)

    async def _find(self, context: ToolContext, arguments: ManageNotesArguments) -> Note:
        if not arguments.note_id:
            raise ToolError(
                f"{arguments.action} needs a note_id; call with action list to see the ids"
            )
        board = _board(arguments)
        note = await self._rows.find(
            board, _whose(board, context), arguments.note_id.lower().lstrip("#")
        )
        seen = note is not None and context.viewer.sees(note.owner, note.provenance.learned)
        if note is not None and not seen and note.owner == context.person.id:
            raise ToolError(
                f"note {note.id} is private and not shown here; the person can ask for it in a DM"
            )
        if note is None or not seen:
            raise ToolError(
                f"note {arguments.note_id[:40]!r} not found on the {board} board; call with action "
                f"list and is_agent_note {json.dumps(arguments.is_agent_note)} to see its ids"
            )
        return note


def _recollection(note: Note) -> Recollection:
    return Recollection(
        f"notes:{note.id}",
        "note",
        "\n".join(part for part in (note.title, note.body) if part),
        note.provenance.origin,
        parse_utc(note.updated_at),
        weight=2,
        learned=note.provenance.learned,
    )


async def _change(context: ToolContext, arguments: ManageNotesArguments) -> NoteChange:
    title = None if arguments.title is None else one_line(arguments.title, "title", TITLE_CHARS)
    if title == "":
        raise ToolError("the title can't be empty; leave it out to keep it")
    due = None if arguments.due is None else await parse_due(arguments.due, "due", context)
    return NoteChange(
        title=title,
        body=None if arguments.body is None else within(arguments.body, "body", BODY_CHARS),
        due=due,
        clear_due=arguments.due is not None and due is None,
    )


def _board(arguments: ManageNotesArguments) -> Board:
    return Board.AGENT if arguments.is_agent_note else Board.USER


def _whose(board: Board, context: ToolContext) -> str:
    return context.agent if board is Board.AGENT else context.person.id


def _one(note: Note, context: ToolContext, unit: Unit, summary: str) -> ToolResult:
    shown = _shown(note, context, BODY_CHARS)
    if note.due:
        shown["due_in_words"] = due_in_words(note.due, context.timezone)
    return _result(shown, [note], unit, summary)


def _result(answer: JsonObject, notes: Sequence[Note], unit: Unit, summary: str) -> ToolResult:
    return showing(
        [note.provenance for note in notes], answer, "manage_notes", unit=unit, summary=summary
    )


def _shown(note: Note, context: ToolContext, body_chars: int) -> JsonObject:
    body = f"{note.body[:body_chars]}…" if len(note.body) > body_chars else note.body
    shown: JsonObject = {
        "note_id": note.id,
        "title": note.title,
        "body": body,
        "due": show_due(note.due, context.timezone) if note.due else None,
        "updated": local(parse_utc(note.updated_at), context.timezone).date().isoformat(),
    }
    return {key: value for key, value in shown.items() if value}


class Notes(Plugin[NoSettings]):
    name = "notes"
    title = "notes of people, and of agents for their own work"
    tables = store.TABLES

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(NotesConnector(given.database),))
