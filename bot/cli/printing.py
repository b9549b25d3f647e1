"""How commands print: tables for people, JSON for programs."""

import json
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import typer


def print_json(value: Any) -> None:
    """Print a value as indented JSON; dates and paths as text."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def print_table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, empty: str) -> None:
    """Print columns below headers; on a terminal the last one is cut to what fits.

    `empty` is printed if there are no rows.
    """
    lines = [tuple(_plain(cell) for cell in row) for row in rows]
    if not lines:
        typer.echo(empty)
        return
    widths = [max(len(row[n]) for row in (*lines, tuple(headers))) for n in range(len(headers))]
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
    last = max(20, room - sum(widths[:-1]) - 2 * (len(headers) - 1))
    typer.secho(_line([header.upper() for header in headers], widths, last), dim=True)
    for row in lines:
        typer.echo(_line(row, widths, last))


def print_found(
    found: Sequence[Mapping[str, Any]], columns: Mapping[str, str], *, as_json: bool, empty: str
) -> None:
    """Print what was found: for programs all of it, for people a table.

    `columns` are headers by key; the moments `at` and `..._at` are cut to minutes.
    """
    if as_json:
        print_json(found)
        return
    cut = {"at": len("2026-11-28 09:00")}
    rows = [
        [str(item[key])[: cut.get(key.rpartition("_")[2])] for key in columns] for item in found
    ]
    print_table(tuple(columns.values()), rows, empty=empty)


def _line(cells: Sequence[str], widths: Sequence[int], last: int) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells[:-1], widths[:-1], strict=True)]
    tail = cells[-1] if len(cells[-1]) <= last else f"{cells[-1][: last - 1]}…"
    return "  ".join([*padded, tail]).rstrip()


def _plain(cell: str) -> str:
    """On one line, and unable to drive the terminal."""
    return "".join(char if char.isprintable() else " " for char in " ".join(cell.split()))
