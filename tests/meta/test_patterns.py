"""Every module with a pattern over words stands in docs/security.md, with what it decides."""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

HEADING = "## Patterns over words"
_NOT_PRODUCT = ("testing/", "loopback/")


def has_pattern(nodes: Iterable[ast.AST]) -> bool:
    """Whether a module imports what compares words by pattern or by likeness."""
    for node in nodes:
        match node:
            case ast.Import(names=names) if {one.name for one in names} & {"re", "difflib"}:
                return True
            case ast.ImportFrom(module="re" | "difflib"):
                return True
            case _:
                continue
    return False


@pytest.fixture(scope="module")
def listed(root: Path) -> set[str]:
    """The files and folders (`dates/`) that the table names."""
    section = (root / "docs" / "security.md").read_text().partition(HEADING)[2]
    rows = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]
    return {name for row in rows[2:] for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


def test_each_pattern_over_words_is_listed_with_what_it_decides(
    root: Path, imports: Mapping[Path, Sequence[ast.Import | ast.ImportFrom]], listed: set[str]
):
    names = {path.relative_to(root / "bot").as_posix(): nodes for path, nodes in imports.items()}
    found = [
        name
        for name, nodes in names.items()
        if not name.startswith(_NOT_PRODUCT) and has_pattern(nodes)
    ]
    folders = tuple(name for name in listed if name.endswith("/"))
    missing = [name for name in found if name not in listed and not name.startswith(folders)]
    assert found
    assert not missing, (
        f"{missing}: say in docs/security.md, '{HEADING[3:]}', what the pattern reads and decides, "
        "and why nothing of consequence hangs on it"
    )


def test_the_list_names_nothing_that_is_gone(root: Path, listed: set[str]):
    gone = [name for name in listed if not (root / "bot" / name).exists()]
    assert listed
    assert not gone, f"remove {gone} from '{HEADING[3:]}' of docs/security.md"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import re", True),
        ("from difflib import get_close_matches", True),
        ("def f():\n    import re", True),
        ("import regret", False),
    ],
)
def test_a_pattern_is_known_by_its_import(source: str, *, found: bool):
    assert has_pattern(ast.walk(ast.parse(source))) is found
