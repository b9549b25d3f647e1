"""docs/tables.md as tests read it: what it says of each table."""

from dataclasses import dataclass
from pathlib import Path

_PAGE = Path(__file__).parents[1] / "docs/tables.md"


@dataclass(frozen=True)
class TableLine:
    """One line of the page."""

    room: str
    holds: str
    whose: str
    """The columns with a person, or why there is none."""
    words: str


def lines() -> dict[str, TableLine]:
    """The lines in their order, by table."""
    found: dict[str, TableLine] = {}
    room = ""
    for line in _PAGE.read_text().splitlines():
        if line.startswith("## "):
            room = line.removeprefix("## ")
        elif line.startswith("| `"):
            name, holds, ends, whose, words = (
                cell.strip() for cell in line.strip("|").split(" | ")
            )
            assert ends, f"{name}: say how its rows end"
            found[name.strip("`")] = TableLine(room, holds, whose, words)
    return found


def unowned() -> set[str]:
    """The tables of which the page says why no column names a person."""
    return {name for name, line in lines().items() if line.whose and "`" not in line.whose}
