"""docs/features.md: everything that ships is on it, and every test that it names exists."""

import re
from pathlib import Path

import pytest

from bot.testing.shipped_tools import CONNECTOR_SKILLS, shipped_files
from tests.meta.test_docs import commands

NAMED_TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
ROW = re.compile(r"^\| (?!what \||---)(.*) \|$", re.MULTILINE)
IN_CHAT = re.compile(r'ChatCommand\(\s*"(\w+)"')


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "features.md").read_text()


def test_every_test_on_the_page_exists(root: Path, page: str):
    named = set(NAMED_TEST.findall(page))
    texts = {path: (root / "tests" / path) for path, _ in named}
    gone = [
        f"{path}::{name}"
        for path, name in sorted(named)
        if not texts[path].exists() or not re.search(rf"def {name}\(", texts[path].read_text())
    ]
    assert len(named) > 100
    assert not gone, f"docs/features.md names {gone}; name the tests that hold this now"


def test_each_row_names_a_test_and_where_it_is_described(page: str):
    rows = [row.split(" | ") for row in ROW.findall(page)]
    assert len(rows) > 80
    for row in rows:
        assert len(row) == 4, row
        assert NAMED_TEST.search(row[2]), f"no test holds {row[0]!r}"
        assert "](" in row[3], f"{row[0]!r} is described nowhere"


def shipped(root: Path) -> dict[str, set[str]]:
    """Names of what ships, by kind, as the page writes them."""
    skills = [*(root / "skills").glob("*/SKILL.md"), *(root / "examples").glob("*/skills/*/*.md")]
    skills += [path for folder in CONNECTOR_SKILLS.values() for path in folder.glob("*/SKILL.md")]
    rooms = (root / "bot" / "sessions" / "commands", *(root / "bot" / "plugins").iterdir())
    chat = "\n".join(path.read_text() for room in rooms for path in room.glob("*.py"))
    return {
        "tools": {path.stem for path in shipped_files()}
        | {path.stem for path in (root / "examples").glob("*/prompts/tools/*/*.md")},
        "agents": {
            path.stem
            for folder in (root / "prompts", *(root / "examples").glob("*/prompts"))
            for path in (folder / "agents").glob("*.md")
        },
        "skills": {path.parent.name for path in skills},
        "sets of tools": {path.stem for path in (root / "skills").glob("*.json")},
        "commands in chat": {f"/{name}" for name in (*IN_CHAT.findall(chat), "help", "skill")},
        "commands": set(commands()),
    }


def test_everything_that_ships_is_on_the_page(root: Path, page: str):
    kinds = shipped(root)
    page += (root / "docs" / "skills.md").read_text(encoding="utf-8")
    assert all(len(names) > 4 for names in kinds.values())
    missing = {
        kind: sorted(name for name in names if not re.search(rf"`{re.escape(name)}[` ]", page))
        for kind, names in kinds.items()
    }
    missing = {kind: names for kind, names in missing.items() if names}
    assert not missing, f"say on docs/features.md what {missing} do, and which test holds it"
