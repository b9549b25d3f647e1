"""The five file tools over the virtual filesystem."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from bot.domain.card_words import coded
from bot.domain.database import Unit
from bot.domain.deeds import Done, Noun, ToolDeed
from bot.domain.files import FileEntry, FileText
from bot.domain.languages import Phrase, Translations
from bot.domain.lasting import Makes
from bot.domain.origins import BELLHOP, Origin, as_written
from bot.domain.privacy import left_out
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import (
    Confined,
    Deferred,
    NeedsApproval,
    ToolOutcome,
    ToolResult,
    Undoable,
)
from bot.domain.tools import Risk
from bot.errors import NeedsYes, ToolError
from bot.files.database_files import version_of
from bot.files.edits import added, edited, similar
from bot.files.pages import HEADER_CHARS, PAGE_CHARS, page_of
from bot.files.paths import normalise, way_to
from bot.files.store import SeenFiles, forget, saw
from bot.files.versions import differences
from bot.files.virtual import VirtualFiles

LineNumber = Annotated[int, Field(ge=1), WithJsonSchema({"type": "integer"})]
Count = Annotated[int, Field(ge=0), WithJsonSchema({"type": "integer"})]


# Every request carries these schemas, so they repeat nothing: the tool's description explains
# `old`, `new` and paths, and very high bounds are checked without being declared.


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ReadFile(_Arguments):
    path: str
    offset: LineNumber | None = None
    limit: LineNumber | None = None
    skip: Count = Field(default_factory=int)


class WriteFile(_Arguments):
    path: str
    content: str


class EditFile(_Arguments):
    path: str
    old: str
    new: str
    replace_all: bool = Field(default_factory=bool)


class DeleteFile(_Arguments):
    path: str


class ListDirectory(_Arguments):
    path: str = Field(default_factory=lambda: "/")
    deep: bool = Field(default_factory=bool)


WRITE_BYTES = 256 * 1024
LISTED_ENTRIES = 200
ECHO_CHARS = 600
"""A file of at most so many characters is shown whole after lines were added to it."""
LOST_CHARS = 2_000
"""Of a text that was replaced without having been read."""


def file_tools(
    files: VirtualFiles,
    result_chars: int = PAGE_CHARS + HEADER_CHARS,
    seen: SeenFiles | None = None,
) -> list[NativeTool[Any]]:
    """read_file, write_file, edit_file, delete_file and list_directory.

    Writes travel in `ToolResult.unit`.

    `result_chars`: what a result may hold; a page of a long file fills it. `seen`: with it a
    session does not overwrite or delete what changed since it read or wrote the file.
    """
    tools = _FileTools(files, max(HEADER_CHARS, result_chars - HEADER_CHARS), seen)
    return [
        NativeTool("read_file", ReadFile, tools.read, pure=True),
        NativeTool(
            "write_file",
            WriteFile,
            _asking(tools.write),
            makes=tools.write_makes,
            check=tools.check_write,
            tells=tools.tell_write,
            deed=ToolDeed(Noun.FILE, "path"),
        ),
        NativeTool(
            "edit_file",
            EditFile,
            _asking(tools.edit),
            makes=tools.edit_makes,
            check=tools.check_edit,
            tells=tools.tell_edit,
            deed=ToolDeed(Noun.FILE, "path", Done.CHANGED),
        ),
        NativeTool(
            "delete_file",
            DeleteFile,
            tools.delete,
            makes=tools.delete_makes,
            check=tools.check_delete,
            tells=tools.tell_delete,
            deed=ToolDeed(Noun.FILE, "path", Done.DELETED),
        ),
        NativeTool("list_directory", ListDirectory, tools.list, pure=True),
    ]


_GivenT = TypeVar("_GivenT")


def _asking(
    run: Callable[[ToolContext, _GivenT], Awaitable[ToolResult]],
) -> Callable[[ToolContext, _GivenT], Awaitable[ToolOutcome]]:
    """The handler, with a question to the person where the files want their yes."""

    async def asking(context: ToolContext, given: _GivenT) -> ToolOutcome:
        try:
            return await run(context, given)
        except NeedsYes as why:
            if context.run.shape.person_present:
                return NeedsApproval(context.call, Risk.EXTERNAL_WRITE, str(why), 0)
            return Deferred(context.call, str(why), Risk.EXTERNAL_WRITE)

    return asking


class _FileTools:
    def __init__(self, files: VirtualFiles, page_chars: int, seen: SeenFiles | None) -> None:
        self._files = files
        self._page_chars = page_chars
        self._seen = seen

    async def read(self, context: ToolContext, arguments: ReadFile) -> ToolResult:
        file = await self._files.read(context, arguments.path)
        page = page_of(
            file.text, arguments.offset, arguments.limit, self._page_chars, arguments.skip
        )
        if page is None and arguments.skip:
            raise ToolError(
                f"line {arguments.offset or 1} of {file.path} has no characters after "
                f"{arguments.skip}"
            )
        if page is None:
            raise ToolError(
                f"{file.path} has fewer than {arguments.offset} lines; read it from an earlier "
                "offset"
            )
        content = page.text if page.whole else f"{page.header}\n{page.text}"
        return ToolResult(
            content or "[the file is empty]",
            origin=file.origin,
            private=file.private,
            blocks=file.blocks,
            unit=self._saw(context, file.path, file.version),
            effects=() if file.confinement is None else (Confined(file.confinement),),
            summary=f"read {file.path}",
        )

    async def write(self, context: ToolContext, arguments: WriteFile) -> ToolResult:
        path = normalise(arguments.path)
        before = await self._files.find(context, path)
        if before is not None:
            content = as_written(arguments.content, before.text, before.origin)
            arguments = arguments.model_copy(update={"content": content})
        _check_text(arguments.content)
        if before is not None and before.text == arguments.content:
            return ToolResult(
                f"{path} already has exactly this text; nothing was changed", private=before.private
            )
        if before is not None and (changed := await self._changed_since(context, before)):
            return changed
        unit = await self._files.write(
            context, path, arguments.content, before.version if before else None
        )
        kept_at = self._files.resolved(context, path)
        unit += self._wrote(context, kept_at, arguments.content)
        done = "created" if before is None else "replaced"
        size = len(arguments.content.encode())
        text = f"{done} {path} ({size} bytes).{_way_to(context, kept_at)}"
        if (source := self._files.begins(path)) is not None:
            text += f" {await source.began(context, path, arguments.content)}"
        origin, private = BELLHOP, False
        if before is None:
            near = await self._similar(context, path)
            origin = _worst(near)
            text += _named(near)
        elif await self._unseen(context, before):
            origin, private = before.origin, before.private
            text += f" You had not read it; it held:\n{_beginning(before.text)}"
        return ToolResult(
            text,
            origin=origin,
            private=private,
            unit=unit,
            effects=self._files.effects(path),
            undo=await self._undo(context, path, arguments.content, done),
            summary=f"{done} {path}",
        )

    async def edit(self, context: ToolContext, arguments: EditFile) -> ToolResult:
        if not arguments.old:
            return await self._add(context, arguments)
        file = await self._files.read(context, arguments.path)
        text, count = _edited(file, arguments)
        _check_text(text)
        if text == file.text:
            raise ToolError("old and new are the same text; nothing was changed")
        unit = await self._files.write(context, file.path, text, file.version)
        unit += self._wrote(context, file.path, text)
        places = "1 place" if count == 1 else f"{count} places"
        effects = self._files.effects(file.path)
        return ToolResult(
            f"changed {places} in {file.path}.{_way_to(context, file.path)}",
            unit=unit,
            effects=effects,
            undo=await self._undo(context, file.path, text, "changed"),
            summary=f"edited {file.path}",
        )

    async def _add(self, context: ToolContext, arguments: EditFile) -> ToolResult:
        """Lines at the end of a file, which is made where there is none: nothing has to be read."""
        path = normalise(arguments.path)
        file = await self._files.find(context, path)
        before = "" if file is None else file.text
        text = added(before, arguments.new)
        _check_text(text)
        origin, private = (BELLHOP, False) if file is None else (file.origin, file.private)
        if text == before:
            nothing = "new is empty" if not arguments.new.strip() else f"{path} says that already"
            return ToolResult(f"{nothing}; nothing was changed", private=private)
        unit = await self._files.write(context, path, text, file.version if file else None)
        unit += self._wrote(context, self._files.resolved(context, path), text)
        done = f"created {path}" if file is None else f"added to {path}"
        told = f"{done}, which now reads:\n{text}" if file and len(text) <= ECHO_CHARS else done
        return ToolResult(
            told,
            origin=origin,
            private=private,
            unit=unit,
            effects=self._files.effects(path),
            undo=await self._undo(context, path, text, "created" if file is None else "changed"),
            summary=done,
        )

    async def delete(self, context: ToolContext, arguments: DeleteFile) -> ToolResult:
        file = await self._files.read(context, arguments.path)
        if changed := await self._changed_since(context, file):
            return changed
        unit = await self._files.delete(context, file.path, file.version)
        unit += self._wrote(context, file.path, None)
        effects = self._files.effects(file.path)
        done = f"deleted {file.path}"
        undo = await self._undo(context, file.path, None, "deleted")
        return ToolResult(done, unit=unit, effects=effects, undo=undo, summary=done)

    async def list(self, context: ToolContext, arguments: ListDirectory) -> ToolResult:
        path = normalise(arguments.path)
        entries = await self._files.list(context, path)
        if arguments.deep:
            entries = await self._below(context, entries)
        return ToolResult(_listing(entries, path), origin=_worst(entries), summary=f"listed {path}")

    async def _undo(
        self, context: ToolContext, path: str, text: str | None, done: str
    ) -> tuple[Undoable, ...]:
        back = await self._files.take_back(context, path, text)
        return () if back is None else (Undoable("file", done, path, back),)

    # --- what its person is asked ---

    async def check_write(self, context: ToolContext, arguments: WriteFile) -> None:
        """Whatever a file that begins to work is refused for, before anybody says yes to it."""
        _check_text(arguments.content)
        path = normalise(arguments.path)
        if self._files.begins(path) is not None:
            before = await self._files.find(context, path)
            version = before.version if before else None
            await self._files.write(context, path, arguments.content, version)

    async def check_edit(self, context: ToolContext, arguments: EditFile) -> None:
        if arguments.old and (file := await self._readable(context, arguments.path)) is not None:
            _check_text(_edited(file, arguments)[0])

    async def check_delete(self, context: ToolContext, arguments: DeleteFile) -> None:
        await self._readable(context, arguments.path)

    async def _readable(self, context: ToolContext, path: str) -> FileText | None:
        """None where it stands, but only those who say yes may read it, such as the policy.

        Raises ToolError if there is nothing.
        """
        file = await self._files.find(context, path)
        if file is None and await self._files.list_or_none(context, path) is not None:
            return None
        return file or await self._files.read(context, path)

    async def tell_edit(self, _: ToolContext, arguments: EditFile) -> Translations:
        return Phrase("change the file {path}").filled(path=coded(normalise(arguments.path)))

    async def tell_write(self, context: ToolContext, arguments: WriteFile) -> str | Translations:
        path = normalise(arguments.path)
        if (source := self._files.begins(path)) is not None:
            return source.tells(path, arguments.content)
        there = await self._files.find(context, path) is not None
        return (
            Phrase("replace the file {path}") if there else Phrase("write the file {path}")
        ).filled(path=coded(path))

    async def tell_delete(self, _: ToolContext, arguments: DeleteFile) -> str | Translations:
        path = normalise(arguments.path)
        if (source := self._files.begins(path)) is not None:
            return source.tells(path, None)
        return Phrase("delete the file {path}").filled(path=coded(path))

    # --- what a call would make ---

    async def write_makes(self, context: ToolContext, arguments: WriteFile) -> Sequence[Makes]:
        return await self._makes(context, arguments.path, arguments.content)

    async def edit_makes(self, context: ToolContext, arguments: EditFile) -> Sequence[Makes]:
        if not arguments.old:
            file = await self._files.find(context, arguments.path)
            text = added("" if file is None else file.text, arguments.new)
            return await self._makes(context, arguments.path, text)
        file = await self._files.read(context, arguments.path)
        return await self._makes(context, arguments.path, _edited(file, arguments)[0])

    async def delete_makes(self, context: ToolContext, arguments: DeleteFile) -> Sequence[Makes]:
        return await self._makes(context, arguments.path, None)

    async def _makes(self, context: ToolContext, path: str, text: str | None) -> Sequence[Makes]:
        before = await self._files.find(context, path)
        kept_at = self._files.resolved(context, path)
        return self._files.makes(kept_at, before, text)

    # --- what the session knows of a file ---

    def _saw(self, context: ToolContext, path: str, version: str) -> Unit:
        """A specialist's reading says nothing of what the agent that writes has seen."""
        return (
            saw(context.session_id, path, version)
            if self._seen is not None and context.depth == 0
            else Unit()
        )

    def _wrote(self, context: ToolContext, path: str, text: str | None) -> Unit:
        """Records the session's own write; nothing for a file that reads back differently."""
        if self._seen is None:
            return Unit()
        if text is not None and self._files.verbatim(path):
            return saw(context.session_id, path, version_of(text))
        return forget(context.session_id, path)

    async def _changed_since(self, context: ToolContext, file: FileText) -> ToolResult | None:
        """Refuses a write over text that the session has not seen; None if it may proceed."""
        known = (
            await self._seen.version(context.session_id, file.path)
            if self._seen is not None
            else None
        )
        if known is None or known == file.version:
            return None
        kept = self._files.versioned(file.path)
        text = (
            f"{file.path} was changed since you read it; nothing was done. Read it and repeat what "
            "is still wanted."
        )
        before = await kept.as_seen(context, file.path, known) if kept is not None else None
        if before is not None:
            names = ("as you know it", "now")
            text += f" What changed:\n{await differences(before.text, file.text, names)}"
        return ToolResult(text, is_error=True, origin=file.origin, private=file.private)

    async def _unseen(self, context: ToolContext, file: FileText) -> bool:
        """Whether the session replaced a text that it never read nor wrote."""
        if self._seen is None or context.depth:
            return False
        return await self._seen.version(context.session_id, file.path) is None

    async def _similar(self, context: ToolContext, path: str) -> Sequence[FileEntry]:
        """Files beside a new document that may be about the same; none where no texts are kept."""
        if self._files.versioned(path) is None:
            return ()
        top = f"/{path.split('/')[1]}"
        entries = await self._below(context, await self._files.list_or_none(context, top) or ())
        seen = {one.path: one for one in entries if not (one.directory or one.private)}
        return [seen[name] for name in similar(path, seen)]

    async def _below(
        self, context: ToolContext, entries: Sequence[FileEntry]
    ) -> tuple[FileEntry, ...]:
        """The entries, each followed by all that is in its folders, as far as a listing shows."""
        found: list[FileEntry] = []
        waiting = list(reversed(entries))
        while waiting and len(found) <= LISTED_ENTRIES:
            entry = waiting.pop()
            found.append(entry)
            if entry.directory and not entry.private:
                waiting += reversed(await self._files.list_or_none(context, entry.path) or ())
        return (*found, *reversed(waiting))


def _way_to(context: ToolContext, path: str) -> str:
    """How the person gets the file; a specialist has no send."""
    way = way_to(path, context.conversation.platform, sends=not context.depth)
    return f" {way}" if way else ""


def _check_text(text: str) -> None:
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise ToolError(
            f"the text holds half a character at position {error.start}; leave it out"
        ) from None
    if "\0" in text:
        raise ToolError("the text holds a NUL character; files here are plain text")
    if size > WRITE_BYTES:
        raise ToolError(
            f"the text has {size} bytes and a file holds at most {WRITE_BYTES}; divide it into "
            "several files"
        )


def _edited(file: FileText, arguments: EditFile) -> tuple[str, int]:
    old, new = (as_written(one, file.text, file.origin) for one in (arguments.old, arguments.new))
    return edited(file.path, file.text, old, new, replace_all=arguments.replace_all)


def _named(near: Sequence[FileEntry]) -> str:
    names = ", ".join(entry.path for entry in near)
    return f" Similar names: {names}; if one is about the same, go on there." if near else ""


def _beginning(text: str) -> str:
    rest = len(text) - LOST_CHARS
    return text if rest <= 0 else f"{text[:LOST_CHARS]}\n[{rest} more characters]"


def _listing(entries: Sequence[FileEntry], folder: str) -> str:
    if not entries:
        return "[the folder is empty]"
    seen = [entry for entry in entries if not entry.private]
    lines = [_line(entry, folder) for entry in seen[:LISTED_ENTRIES]]
    if len(seen) > LISTED_ENTRIES:
        lines.append(f"[{len(seen) - LISTED_ENTRIES} more are not shown]")
    if hidden := len(entries) - len(seen):
        lines.append(f"[{left_out(hidden)}]")
    return "\n".join(lines)


def _line(entry: FileEntry, folder: str) -> str:
    name = entry.path.removeprefix(folder.rstrip("/")).removeprefix("/") + (
        "/" if entry.directory else ""
    )
    notes = [f"{entry.size} bytes"] if entry.size is not None else []
    notes += [entry.note] if entry.note else []
    return f"{name} ({', '.join(notes)})" if notes else name


def _worst(entries: Sequence[FileEntry]) -> Origin:
    seen = (entry.origin for entry in entries if not entry.private)
    return max(seen, key=lambda origin: origin.trust, default=BELLHOP)
