"""The lines that a newcomer reads to follow one mention with a tool call."""

import ast
import re
from pathlib import Path

MOST = 3_500
OFF_BY = 10
"""Lines by which a count in the document may be old."""


def _length(path: Path, name: str) -> int:
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return (node.end_lineno or 0) - node.lineno + 1
    raise AssertionError(f"docs/architecture.md names {name} in {path}, which isn't there")


def test_the_way_of_a_mention_is_short_enough_to_be_read(root: Path):
    text = (root / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^\| (\d+) \| `(bot/\S+\.py)` \| `(\w+)` \|$", text, re.MULTILINE)
    assert len(rows) > 10
    real = {(path, name): _length(root / path, name) for _, path, name in rows}
    old = [
        f"{path}: {name} has {real[path, name]} lines"
        for said, path, name in rows
        if abs(int(said) - real[path, name]) > OFF_BY
    ]
    assert not old, old
    assert sum(real.values()) <= MOST


def test_build_app_is_one_page(root: Path):
    assert _length(root / "bot" / "app.py", "build_app") <= 80
    assert "PLR0915" not in (root / "bot" / "app.py").read_text()
