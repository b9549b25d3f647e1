"""Makes a file in its own process: `python -m bot.plugins.made_files.make_process`.

Libraries with C code read what a model wrote. Here they have no secrets, no files to write, and
limited memory and time. Standard input: JSON. Standard output: a line of JSON, then the file.
"""

import csv
import io
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from bot.plugin.readers import limit_itself
from bot.plugins.made_files.markdown import made_docx, made_pdf, tables_in
from bot.plugins.made_files.orders import (
    CantMake,
    Cell,
    DateEntry,
    FileOrder,
    MadeFile,
    MadeKind,
    PlotOrder,
    Series,
)

_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?")
_PADDED = re.compile(r"[+-]?0\d")
"""A number of a phone or an article: its zeros count."""
_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NAME_CHARS = 31
_ODD = re.compile(r"[\[\]:*?/\\'\x00-\x1f]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_CELL_CHARS = 32_767
_WIDEST = 60
NO_TABLE = (
    "there is no table in it: give rows, or a table of Markdown in content (a heading above each "
    "names its sheet)"
)


def made_xlsx(order: FileOrder) -> MadeFile:
    from openpyxl import Workbook  # noqa: PLC0415 - after the limits
    from openpyxl.styles import Font  # noqa: PLC0415

    book: Any = Workbook()
    book.remove(book.active)
    taken: set[str] = set()
    for name, rows in _sheets(order):
        sheet = book.create_sheet(_sheet_name(name, taken))
        for at, row in enumerate(rows, 1):
            for column, value in enumerate(row, 1):
                _put(sheet.cell(at, column), value)
        for cell in sheet[1]:
            cell.font = Font(bold=True)
        sheet.freeze_panes = "A2"
        for column, width in enumerate(_widths(rows), 1):
            letter = sheet.cell(1, column).column_letter
            sheet.column_dimensions[letter].width = width
    data = io.BytesIO()
    book.save(data)
    return MadeFile(data.getvalue())


def made_csv(order: FileOrder) -> MadeFile:
    sheets = list(_sheets(order))
    if len(sheets) > 1:
        raise CantMake(
            f"a .csv holds one table and there are {len(sheets)}; make one of each, or an .xlsx"
        )
    made = io.StringIO()
    writer = csv.writer(made)
    for row in sheets[0][1]:
        writer.writerow([_csv_text(value) for value in row])
    # The mark lets Excel read umlauts.
    return MadeFile(made.getvalue().encode("utf-8-sig"))


def _sheets(order: FileOrder) -> Iterator[tuple[str, Sequence[Sequence[Cell]]]]:
    if order.rows:
        yield order.title, order.rows
        return
    found = [one for one in tables_in(order.content) if any(one.rows)]
    if not found:
        raise CantMake(NO_TABLE)
    for one in found:
        yield one.heading or order.title, one.rows


def _value(value: Cell) -> Cell:
    """A text that is a number, as one."""
    if isinstance(value, str) and _NUMBER.fullmatch(value) and not _PADDED.match(value):
        return float(value) if "." in value else int(value)
    return value


def _put(cell: Any, value: Cell) -> None:
    value = _value(value)
    if isinstance(value, str):
        text = _CONTROL.sub("", value)[:_CELL_CHARS]
        cell.value = text
        cell.data_type = "s"  # openpyxl takes what begins with = for a formula
        if text.startswith(_BEGINS_FORMULA):
            cell.style = "Normal"
            cell.quotePrefix = True
    elif value is not None:
        cell.value = value


def _csv_text(value: Cell) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    if value.lstrip(" ").startswith(_BEGINS_FORMULA) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def _sheet_name(wanted: str, taken: set[str]) -> str:
    base = _ODD.sub(" ", wanted).strip()[:_NAME_CHARS].strip() or "Sheet"
    name, number = base, 1
    while name.casefold() in taken:
        number += 1
        name = f"{base[: _NAME_CHARS - 4]} {number}"
    taken.add(name.casefold())
    return name


def _widths(rows: Sequence[Sequence[Cell]]) -> list[int]:
    columns = max((len(row) for row in rows), default=0)
    return [
        min(_WIDEST, 2 + max((len(str(row[at])) for row in rows if at < len(row)), default=8))
        for at in range(columns)
    ]


os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread takes memory in advance
os.environ.setdefault("MPLCONFIGDIR", "/nonexistent")
_USUAL_LENGTH = timedelta(hours=1)
MEMORY_BYTES = 1024 * 1024 * 1024
CPU_S = 45
SHEET_BYTES = 64 * 1024 * 1024
_PLOT_SIZE_IN = (8.0, 4.8)
_PLOT_DPI = 130
_BINS = 40
_LABEL_CHARS = 24
_CROWDED = 8


def _made_plot(order: FileOrder) -> MadeFile:
    """Numbers as a picture: lines, bars, points and histograms."""
    plot = order.plot
    if plot is None:
        raise CantMake("a plot needs series")
    import matplotlib as mpl  # noqa: PLC0415 - after the limits; an extra
    from matplotlib.figure import Figure  # noqa: PLC0415

    mpl.use("Agg")
    mpl.rcParams["text.parse_math"] = False
    figure: Any = Figure(figsize=_PLOT_SIZE_IN, dpi=_PLOT_DPI, layout="constrained")
    axes: Any = figure.add_subplot()
    _draw(axes, plot)
    axes.set_title(plot.title)
    axes.set_xlabel(plot.x_title)
    axes.set_ylabel(plot.y_title)
    axes.grid(visible=True, axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    if any(one.name for one in plot.series):
        axes.legend()
    made = io.BytesIO()
    figure.savefig(made, format="png")
    return MadeFile(made.getvalue())


def _draw(axes: Any, plot: PlotOrder) -> None:
    if plot.kind == "histogram":
        if any(one.x for one in plot.series):
            raise CantMake("a histogram counts y; leave x out")
        longest = max(len(one.y) for one in plot.series)
        axes.hist(
            [list(one.y) for one in plot.series],
            bins=min(_BINS, max(5, round(longest**0.5) + 1)),
            label=[one.name or None for one in plot.series],
        )
        return
    names = _names(plot)
    for number, one in enumerate(plot.series):
        _require_alike(one)
        x = _places(one, names)
        match plot.kind:
            case "bar":
                wide = 0.8 / len(plot.series)
                aside = (number - (len(plot.series) - 1) / 2) * wide
                axes.bar([at + aside for at in x], one.y, wide, label=one.name or None)
            case "scatter":
                axes.scatter(x, one.y, s=18, label=one.name or None)
            case _:
                mark = "o" if len(x) <= 60 else ""
                axes.plot(x, one.y, marker=mark, markersize=4, label=one.name or None)
    if names:
        step = max(1, len(names) // 30)
        shown = [name[:_LABEL_CHARS] for name in names][::step]
        crowded = len(shown) > _CROWDED or max(map(len, shown)) > _LABEL_CHARS // 2
        axes.set_xticks(
            range(0, len(names), step),
            shown,
            rotation=45 if crowded else 0,
            ha="right" if crowded else "center",
        )


def _names(plot: PlotOrder) -> list[str]:
    """The places of the x axis by name, in the order of the series; empty if it is of numbers."""
    if plot.kind == "bar" or any(isinstance(x, str) for one in plot.series for x in one.x):
        given = [_name(x) for one in plot.series for x in one.x]
        longest = max(len(one.y) for one in plot.series)
        return list(dict.fromkeys(given)) or [str(n) for n in range(1, longest + 1)]
    return []


def _name(x: float | str) -> str:
    return x if isinstance(x, str) else f"{x:g}" if abs(x) < 1e6 else f"{x:.0f}"


def _places(one: Series, names: list[str]) -> list[float]:
    if not one.x:
        return [float(n) + (0 if names else 1) for n in range(len(one.y))]
    if names:
        places = {name: float(n) for n, name in enumerate(names)}
        return [places[_name(x)] for x in one.x]
    return [float(x) for x in one.x]


def _require_alike(one: Series) -> None:
    if one.x and len(one.x) != len(one.y):
        called = f"series {one.name!r}" if one.name else "a series"
        raise CantMake(f"{called} has {len(one.x)} x and {len(one.y)} y; give as many of each")


def _made_ics(order: FileOrder) -> MadeFile:
    """Dates as a calendar file (RFC 5545), which every calendar opens."""
    from icalendar import Calendar, Event  # noqa: PLC0415 - after the limits

    if not order.events:
        raise CantMake("an .ics needs events")
    calendar: Any = Calendar()
    calendar.add("prodid", "-//Bellhop//EN")
    calendar.add("version", "2.0")
    zone = ZoneInfo(order.zone)
    for number, one in enumerate(order.events):
        start, end = _span(one, zone)
        event: Any = Event()
        event.add("uid", sha256(f"{order.made_at}|{number}|{one}".encode()).hexdigest()[:32])
        event.add("dtstamp", datetime.fromisoformat(order.made_at))
        event.add("summary", one.title)
        event.add("dtstart", start)
        event.add("dtend", end)
        for name, text in (("location", one.place), ("description", one.notes)):
            if text:
                event.add(name, text)
        calendar.add_component(event)
    calendar.add_missing_timezones()
    return MadeFile(calendar.to_ical())


def _span(one: DateEntry, zone: ZoneInfo) -> tuple[date, date]:
    start = _moment(one.start, zone, one.title)
    whole_day = not isinstance(start, datetime)
    if not one.end:
        return start, start + (timedelta(days=1) if whole_day else _USUAL_LENGTH)
    end = _moment(one.end, zone, one.title)
    if whole_day != (not isinstance(end, datetime)):
        raise CantMake(f"{one.title}: start and end must both be days, or both have a time")
    if end < start:
        raise CantMake(f"{one.title}: it ends before it starts")
    # The last day is within: calendars name the one after it.
    return start, end + timedelta(days=1) if whole_day else end


def _moment(text: str, zone: ZoneInfo, title: str) -> date:
    try:
        if len(text) <= len("2026-12-01"):
            return date.fromisoformat(text)
        found = datetime.fromisoformat(text)
    except ValueError:
        raise CantMake(
            f"{title}: {text[:40]!r} is no date; write 2026-12-01T15:00, or 2026-12-01 for a day"
        ) from None
    return found if found.tzinfo is not None else found.replace(tzinfo=zone)


_MAKERS: Mapping[MadeKind, Callable[[FileOrder], MadeFile]] = {
    MadeKind.DOCX: made_docx,
    MadeKind.PDF: made_pdf,
    MadeKind.XLSX: made_xlsx,
    MadeKind.CSV: made_csv,
    MadeKind.ICS: _made_ics,
    MadeKind.PLOT: _made_plot,
}
"""Each loads its library when it is called, after the limits are set."""


def made(order: FileOrder) -> MadeFile:
    """Raises CantMake."""
    return _MAKERS[order.kind](order)


def read_order(data: Mapping[str, Any]) -> FileOrder:
    """An order as it came through the pipe."""
    given = dict(data)
    if (plot := data["plot"]) is not None:
        series = tuple(
            Series(tuple(one["y"]), tuple(one["x"]), one["name"]) for one in plot["series"]
        )
        drawn: dict[str, Any] = {**plot, "series": series}
        given["plot"] = PlotOrder(**drawn)
    given["kind"] = MadeKind(data["kind"])
    given["rows"] = tuple(tuple(row) for row in data["rows"])
    given["events"] = tuple(DateEntry(**one) for one in data["events"])
    return FileOrder(**given)


def answered(order: FileOrder) -> bytes:
    """A line of JSON, a `note` or a `problem`, and the bytes of the file."""
    try:
        file = made(order)
        head, data = {"note": file.note}, file.data
    except CantMake as error:
        head, data = {"problem": str(error)}, b""
    except MemoryError:
        head, data = {"problem": "it takes more memory than a file may; make it shorter"}, b""
    return json.dumps(head).encode() + b"\n" + data


def main() -> None:
    warnings.simplefilter("ignore")
    order = read_order(json.loads(sys.stdin.buffer.read()))
    # openpyxl writes each sheet into a temporary file first.
    limit_itself(MEMORY_BYTES, CPU_S, SHEET_BYTES if order.kind is MadeKind.XLSX else 0)
    sys.stdout.buffer.write(answered(order))


if __name__ == "__main__":
    main()
