"""Makes a file in its own process: `python -m bot.plugins.made_files.make_process`.

Libraries with C code read what a model wrote. Here they have no secrets, no files to write, and
limited memory and time. Standard input: JSON. Standard output: a line of JSON, then the file.
"""

import io
import json
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from bot.plugin.readers import limit_itself
from bot.plugins.made_files.markdown import made_docx, made_pdf
from bot.plugins.made_files.orders import (
    CantMake,
    DateEntry,
    FileOrder,
    MadeFile,
    MadeKind,
    PlotOrder,
    Series,
)
from bot.plugins.made_files.tables import made_csv, made_xlsx

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
