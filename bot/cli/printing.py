"""How commands print and ask: tables for people, JSON for programs, questions at a terminal.

Every answer is judged when it is given, in the person's own words.
"""

import json
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import typer

_YES = frozenset(("y", "yes", "yep", "yeah", "ok", "sure", "j", "ja", "jo", "klar", "o", "oui", "s",
                  "si", "sí", "sì", "claro", "certo"))  # fmt: skip
_NO = frozenset(("n", "no", "nope", "nah", "nein", "nee", "nö", "non"))


def print_json(value: Any) -> None:
    """Print a value as indented JSON; dates and paths as text.

    What drives a terminal is escaped.
    """
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    typer.echo(
        "".join(one if one.isprintable() or one == "\n" else json.dumps(one)[1:-1] for one in text)
    )


def print_table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, empty: str) -> None:
    """Print columns below headers; on a terminal the last one is cut to what fits.

    `empty` is printed if there are no rows.
    """
    lines = [tuple(inert(" ".join(cell.split())) for cell in row) for row in rows]
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


def facts(one: object, *names: str, **more: Any) -> dict[str, Any]:
    """What a program reads of something: its attributes of these names, then `more`."""
    return {**{name: getattr(one, name) for name in names}, **more}


def _line(cells: Sequence[str], widths: Sequence[int], last: int) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells[:-1], widths[:-1], strict=True)]
    tail = cells[-1] if len(cells[-1]) <= last else f"{cells[-1][: last - 1]}…"
    return "  ".join([*padded, tail]).rstrip()


def inert(text: str) -> str:
    """What people, pages or files say, unable to drive the terminal; lines and tabs stay."""
    return "".join(char if char.isprintable() or char in "\n\t" else " " for char in text)


def confirm(question: str, *, default: bool) -> bool:
    """A yes or a no in one of five languages; Enter takes the default."""
    shown = "Y/n" if default else "y/N"
    while True:
        said = str(typer.prompt(f"{question} [{shown}]", default="", show_default=False))
        word = said.strip(" .!").casefold()
        if not word:
            return default
        if word in _YES or word in _NO:
            return word in _YES
        typer.echo("  Write yes or no (or ja, nein, oui, non …).")


def ask(question: str, judge: Callable[[str], str], default: str = "") -> str:
    """A text that `judge` takes, as it gives it back.

    `judge` raises ValueError with a sentence for the person, who is then asked again.
    """
    while True:
        said = str(typer.prompt(question, default=default or None)).strip()
        try:
            return judge(said)
        except ValueError as error:
            typer.echo(f"  {error}")
