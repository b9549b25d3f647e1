"""Files that people ask for, made by a model's order and posted where its answer is."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Literal

from pydantic import Field

from bot.plugin.files import DocumentError, free_name
from bot.plugin.places import TALKING, NewFile, PlaceGround, PlaceParts
from bot.plugin.plugin import Given, Lacking, NoSettings, Parts, Plugin, Setup
from bot.plugin.readers import table
from bot.plugin.tools import (
    NEVER,
    NativeTool,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolRegistration,
    ToolResult,
    Trust,
    raised_as,
)
from bot.plugins.made_files.maker import FileMaker, plots_there
from bot.plugins.made_files.orders import Cell, DateEntry, FileOrder, MadeKind, PlotOrder, Series

# The schemas leave out obvious defaults (by `default_factory`).


class EventArgument(ToolArguments):
    """An event of a calendar file."""

    title: str = Field(min_length=1, max_length=500)
    start: str = Field(description="2026-12-01T15:00 in the person's zone; 2026-12-01: all day.")
    end: str = Field(default_factory=str)
    place: str = Field(default_factory=str, max_length=500)
    notes: str = Field(default_factory=str, max_length=5_000)


class MakeFileArguments(ToolArguments):
    """make_file: the ending of the name decides what it is."""

    name: str = Field(
        min_length=4, max_length=200, description="Ends in .docx, .pdf, .xlsx, .csv, .ics or .md."
    )
    content: str = Field(default_factory=str, max_length=400_000, description="Markdown.")
    file: str = Field(
        default_factory=str,
        description="Path of a document that it is made of, in place of content.",
    )
    rows: list[list[str | float | bool | None]] = Field(
        default_factory=list[list[str | float | bool | None]],
        max_length=10_000,
        description="Of a table; the first names the columns.",
    )
    events: list[EventArgument] = Field(default_factory=list[EventArgument], max_length=500)
    text: str = Field(default_factory=str, max_length=2_000, description="Posted with it.")


class SeriesArgument(ToolArguments):
    """Numbers that are drawn alike."""

    y: list[float] = Field(min_length=1, max_length=5_000)
    x: list[float | str] = Field(
        default_factory=list[float | str],
        max_length=5_000,
        description="Numbers, or names such as months; default: 1, 2, 3.",
    )
    name: str = Field(default_factory=str, max_length=100)


class PlotArguments(ToolArguments):
    """plot: one picture."""

    kind: Literal["line", "bar", "scatter", "histogram"]
    series: list[SeriesArgument] = Field(min_length=1, max_length=12)
    title: str = Field(default_factory=str, max_length=150)
    x_title: str = Field(default_factory=str, max_length=100, description="With its unit.")
    y_title: str = Field(default_factory=str, max_length=100, description="With its unit.")
    text: str = Field(default_factory=str, max_length=2_000, description="Posted with it.")


_WRITTEN = frozenset({MadeKind.DOCX, MadeKind.PDF, MadeKind.MARKDOWN})
_TABLES = frozenset({MadeKind.XLSX, MadeKind.CSV})
_ENDINGS = ", ".join(f".{kind}" for kind in MadeKind if kind is not MadeKind.PLOT)
_OF_ROWS = frozenset({".csv", ".tsv"})
_MOST_ROWS = 10_000
_MOST_DIGITS = 15
"""A number with more loses some of them."""
_PLOT_NAME = "plot"
_MAKING = Phrase("Making a file for you")
_DRAWING = Phrase("Drawing a chart")


@dataclass(frozen=True)
class MakesFiles:
    """The tools. What is made is shown where the answer is, and nowhere else."""

    ground: PlaceGround
    maker: FileMaker

    def registrations(self) -> Sequence[ToolRegistration]:
        """`plot` exists only with the extra that draws."""
        tool = partial(NativeTool[Any], reserved=True, in_turn=True, listed=False)
        makes = tool("make_file", MakeFileArguments, self.make_file, doing=_MAKING, reads="file")
        draws = tool("plot", PlotArguments, self.plot, doing=_DRAWING)
        return (
            ToolRegistration((makes,), TALKING),
            ToolRegistration((draws,), TALKING if plots_there() else NEVER),
        )

    async def make_file(self, context: ToolContext, given: MakeFileArguments) -> ToolResult:
        name = free_name(given.name, set())

        async def order() -> NewFile:
            wanted, trust = await self._made_of(context, name, given)
            return self._new(name, wanted, trust)

        return await self.ground.post_file(context, name, order, given.text)

    async def _made_of(
        self, context: ToolContext, name: str, given: MakeFileArguments
    ) -> tuple[FileOrder, Trust]:
        """The order, with the text of the file that is named. The gate has judged its reading."""
        if not given.file:
            return _order(context, name, given), Trust.OPERATOR
        if not given.file.startswith("/"):
            raise ToolError("file: give a whole path, such as /documents/plan.md")
        found = await self.ground.read_file(context, given.file)
        if not found.text.strip():
            raise ToolError(f"{found.path} is empty; nothing was made of it")
        order = _order(context, name, given.model_copy(update={"content": found.text}))
        if PurePosixPath(found.path).suffix.casefold() in _OF_ROWS:
            rows = _rows_of(found.text)
            order = replace(
                order, rows=rows, content=table([[str(c) for c in row] for row in rows])
            )
        return order, found.origin.trust

    async def plot(self, context: ToolContext, given: PlotArguments) -> ToolResult:
        series = tuple(Series(tuple(one.y), tuple(one.x), one.name) for one in given.series)
        drawn = PlotOrder(given.kind, series, given.title, given.x_title, given.y_title)
        name = free_name(f"{given.title or _PLOT_NAME}.png", set())

        async def order() -> NewFile:
            return self._new(name, FileOrder(MadeKind.PLOT, plot=drawn), Trust.OPERATOR)

        return await self.ground.post_file(context, name, order, given.text)

    def _new(self, name: str, order: FileOrder, trust: Trust) -> NewFile:
        async def make() -> tuple[bytes, str]:
            if order.kind is MadeKind.MARKDOWN:
                return order.content.encode(), ""
            with raised_as(ToolError, DocumentError, about=f"{name} was not made"):
                file = await self.maker.make(order)
            return file.data, file.note

        return NewFile(_said(order), make, trust)


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


def _order(context: ToolContext, name: str, given: MakeFileArguments) -> FileOrder:
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


class MadeFiles(Plugin[NoSettings]):
    name = "made_files"
    title = "making Word, PDF, Excel, CSV and calendar files, and plots"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(places=_built)

    def lacks(self, setup: Setup[NoSettings]) -> Sequence[Lacking]:
        if plots_there():
            return ()
        install = "run pip install 'bellhop-assistant[plots]'"
        gives, docs = "numbers drawn as a picture", "docs/daily-use.md"
        return [Lacking("Plots", gives, frozenset({"plot"}), install, docs, id="plots")]


def _built(ground: PlaceGround) -> PlaceParts:
    return PlaceParts(MakesFiles(ground, FileMaker()).registrations())
