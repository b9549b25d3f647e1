"""`make_file` and `plot`: a file that a model writes, made and posted in one call."""

import csv
import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from bot.agents.arguments import MakeFileArguments, PlotArguments
from bot.agents.control_tools.sending import require_clean
from bot.agents.loop.calls import ControlContext, control_tool
from bot.domain.json_types import JsonObject
from bot.domain.messages import Delayed, OutgoingFile, SendRefused
from bot.domain.origins import Trust
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolScope
from bot.domain.tool_outcomes import ToolOutcome, ToolResult
from bot.domain.turns import Recorded
from bot.errors import DocumentError, ToolError
from bot.files.incoming import free_name
from bot.files.paths import media_type_of
from bot.files.virtual import VirtualFiles
from bot.knowledge.file_text import table
from bot.knowledge.making.maker import FileMaker, plots_there
from bot.knowledge.making.orders import Cell, DateEntry, FileOrder, MadeKind, PlotOrder, Series
from bot.tools.native.registry import NEVER, NativeTools, Needs
from bot.tools.policy.redaction import Redaction

_WRITTEN = frozenset({MadeKind.DOCX, MadeKind.PDF, MadeKind.MARKDOWN})
_TABLES = frozenset({MadeKind.XLSX, MadeKind.CSV})
_ENDINGS = ", ".join(f".{kind}" for kind in MadeKind if kind is not MadeKind.PLOT)
_OF_ROWS = frozenset({".csv", ".tsv"})
_MOST_ROWS = 10_000
_MOST_DIGITS = 15
"""A number with more loses some of them."""
_PLOT_NAME = "plot"


def _is_top_level(scope: ToolScope) -> bool:
    return scope.depth == 0


_POSTS = Needs(also=_is_top_level)


@dataclass(frozen=True)
class MakesFiles:
    """The tools. What is made is shown where the answer is, and nowhere else."""

    maker: FileMaker
    files: VirtualFiles
    keep: Callable[[bytes], Awaitable[str]]
    """Stores the bytes of a file, and returns the name of their blob."""
    redaction: Redaction

    def register(self, natives: NativeTools) -> None:
        """`plot` exists only with the extra that draws. A specialist posts nothing."""
        made = control_tool("make_file", MakeFileArguments, self.make_file, listed=False)
        natives.add(made, needs=_POSTS)
        plot = control_tool("plot", PlotArguments, self.plot, listed=False)
        natives.add(plot, needs=_POSTS if plots_there() else NEVER)

    async def make_file(self, context: ControlContext, given: MakeFileArguments) -> ToolOutcome:
        name = free_name(given.name, set())

        async def order() -> tuple[FileOrder, Trust]:
            return await self._made_of(context, name, given)

        return await self._posted(context, name, order, given.text)

    async def _made_of(
        self, context: ControlContext, name: str, given: MakeFileArguments
    ) -> tuple[FileOrder, Trust]:
        """The order, with the text of the file that is named. The gate has judged its reading."""
        if not given.file:
            return _order(context, name, given), Trust.OPERATOR
        if not given.file.startswith("/"):
            raise ToolError("file: give a whole path, such as /documents/plan.md")
        found = await self.files.read(context, given.file)
        if not found.text.strip():
            raise ToolError(f"{found.path} is empty; nothing was made of it")
        order = _order(context, name, given.model_copy(update={"content": found.text}))
        if PurePosixPath(found.path).suffix.casefold() in _OF_ROWS:
            rows = _rows_of(found.text)
            order = replace(
                order, rows=rows, content=table([[str(c) for c in row] for row in rows])
            )
        return order, found.origin.trust

    async def plot(self, context: ControlContext, given: PlotArguments) -> ToolOutcome:
        series = tuple(Series(tuple(one.y), tuple(one.x), one.name) for one in given.series)
        drawn = PlotOrder(given.kind, series, given.title, given.x_title, given.y_title)
        name = free_name(f"{given.title or _PLOT_NAME}.png", set())

        async def order() -> tuple[FileOrder, Trust]:
            return FileOrder(MadeKind.PLOT, plot=drawn), Trust.OPERATOR

        return await self._posted(context, name, order, given.text)

    async def _posted(
        self,
        context: ControlContext,
        name: str,
        ordered: Callable[[], Awaitable[tuple[FileOrder, Trust]]],
        text: str,
    ) -> ToolOutcome:
        """Make it once, whatever ends the process, and post it."""

        async def make() -> Recorded:
            order, trust = await ordered()
            require_clean(self.redaction, context, name, _said(order), aloud=not context.private)
            if order.kind is MadeKind.MARKDOWN:
                data, note = order.content.encode(), ""
            else:
                try:
                    file = await self.maker.make(order)
                except DocumentError as error:
                    raise ToolError(f"{name} was not made: {error}") from error
                data, note = file.data, file.note
            blob = await self.keep(data)
            mime = media_type_of(name)
            made = {"blob": blob, "mime": mime, "size": len(data), "note": note}
            return Recorded({**made, "trust": trust.value})

        kept: JsonObject = await context.turn.step(step_key(StepKind.HAND, context.call.key), make)
        delivery = await context.send(
            text or name,
            key=step_key(StepKind.SEND, context.call.key),
            trust=max(context.origin.trust, Trust(kept.get("trust", Trust.OPERATOR))),
            files=(OutgoingFile(name, str(kept["mime"]), str(kept["blob"])),),
        )
        note = f"; {kept['note']}" if kept["note"] else ""
        match delivery:
            case SendRefused(why):
                return ToolResult(
                    f"{name} is not posted, and not tried again: {why}", is_error=True
                )
            case Delayed(why):
                told = f"{name} is made and on its way, not posted yet: {why}. Don't make it again"
                return ToolResult(told + note)
            case _:
                size = f"{int(kept['size']) / 1024:.0f} KB"
                return ToolResult(f"posted {name} ({size}){note}", summary=f"posted {name}")


def _rows_of(text: str) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a CSV, whichever of the usual characters divides them."""
    first = text.lstrip("\ufeff").partition("\n")[0]
    divider = max((",", ";", "\t"), key=first.count)
    return tuple(
        tuple(map(_cell, row))
        for row in csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=divider)
    )[:_MOST_ROWS]


def _cell(text: str) -> Cell:
    """A plain number counts as one; what begins with 0 or + may be a code."""
    whole, dot, part = text.removeprefix("-").partition(".")
    digits = f"{whole}{part}"
    plain = whole and digits.isascii() and digits.isdecimal() and bool(dot) is bool(part)
    code = len(digits) > _MOST_DIGITS or (whole.startswith("0") and whole != "0")
    return float(text) if plain and not code else text


def _order(context: ControlContext, name: str, given: MakeFileArguments) -> FileOrder:
    """Raises ToolError for an ending that isn't known, or without what its kind is made of."""
    ending = PurePosixPath(name).suffix.removeprefix(".").casefold()
    if ending == MadeKind.PLOT or ending not in set(MadeKind):
        raise ToolError(f"name: it must end in one of {_ENDINGS}")
    kind = MadeKind(ending)
    if kind in _WRITTEN and not given.content:
        raise ToolError(f"content: a .{kind} is made of it; give the whole text")
    if kind in _TABLES and not (given.rows or given.content):
        raise ToolError(f"rows: a .{kind} is made of them; the first names the columns")
    if kind is MadeKind.ICS and not given.events:
        raise ToolError("events: an .ics is made of them")
    return FileOrder(
        kind=kind,
        title=PurePosixPath(name).stem,
        content=given.content,
        rows=tuple(tuple(row) for row in given.rows),
        events=tuple(
            DateEntry(one.title, one.start, one.end, one.place, one.notes) for one in given.events
        ),
        zone=context.timezone,
        made_at=context.now.isoformat(),
    )


def _said(order: FileOrder) -> str:
    """Everything in it that could be a secret, as text."""
    rows = "\n".join(" ".join(str(cell) for cell in row) for row in order.rows)
    events = "\n".join(f"{one.title}\n{one.place}\n{one.notes}" for one in order.events)
    plot = order.plot
    names = "\n".join([plot.title, *(one.name for one in plot.series)]) if plot else ""
    return "\n".join((order.content, rows, events, names))
