"""Arguments of `make_file` and `plot`.

The schema leaves out obvious defaults (by `default_factory`).
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)


class EventArgument(_Arguments):
    """An event of a calendar file."""

    title: str = Field(min_length=1, max_length=500)
    start: str = Field(description="2026-12-01T15:00 in the person's zone; 2026-12-01: all day.")
    end: str = Field(default_factory=str)
    place: str = Field(default_factory=str, max_length=500)
    notes: str = Field(default_factory=str, max_length=5_000)


class MakeFileArguments(_Arguments):
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


class SeriesArgument(_Arguments):
    """Numbers that are drawn alike."""

    y: list[float] = Field(min_length=1, max_length=5_000)
    x: list[float | str] = Field(
        default_factory=list[float | str],
        max_length=5_000,
        description="Numbers, or names such as months; default: 1, 2, 3.",
    )
    name: str = Field(default_factory=str, max_length=100)


class PlotArguments(_Arguments):
    """plot: one picture."""

    kind: Literal["line", "bar", "scatter", "histogram"]
    series: list[SeriesArgument] = Field(min_length=1, max_length=12)
    title: str = Field(default_factory=str, max_length=150)
    x_title: str = Field(default_factory=str, max_length=100, description="With its unit.")
    y_title: str = Field(default_factory=str, max_length=100, description="With its unit.")
    text: str = Field(default_factory=str, max_length=2_000, description="Posted with it.")
