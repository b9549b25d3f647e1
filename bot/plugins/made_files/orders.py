"""What a file is made of: plain data that goes to the process as JSON."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

Cell: TypeAlias = str | float | int | bool | None


class MadeKind(StrEnum):
    """By the ending of the name."""

    DOCX = "docx"
    PDF = "pdf"
    XLSX = "xlsx"
    CSV = "csv"
    ICS = "ics"
    MARKDOWN = "md"
    PLOT = "png"


@dataclass(frozen=True)
class DateEntry:
    """An event of a calendar file. Times are ISO 8601; a date alone is a whole day."""

    title: str
    start: str
    end: str = ""
    place: str = ""
    notes: str = ""


@dataclass(frozen=True)
class Series:
    """Numbers that are drawn alike. `x`: numbers, or names of places on the axis."""

    y: tuple[float, ...]
    x: tuple[float | str, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class PlotOrder:
    """`kind`: line, bar, scatter or histogram."""

    kind: str
    series: tuple[Series, ...]
    title: str = ""
    x_title: str = ""
    y_title: str = ""


@dataclass(frozen=True)
class FileOrder:
    """One file. What it is made of depends on its kind."""

    kind: MadeKind
    title: str = ""
    content: str = ""
    rows: tuple[tuple[Cell, ...], ...] = ()
    events: tuple[DateEntry, ...] = ()
    zone: str = "UTC"
    plot: PlotOrder | None = None
    made_at: str = ""
    """ISO 8601; calendars want to know."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class MadeFile:
    """`note` says what of the order could not be shown."""

    data: bytes
    note: str = field(default="")


class CantMake(Exception):
    """Why a file can't be made, and what to correct."""
