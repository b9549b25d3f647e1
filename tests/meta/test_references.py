"""Every document that code refers to is in the repository, and so is the heading it names."""

import re
from pathlib import Path

import pytest

ROOMS = ("bot", "tests", "bench", "prompts", "skills", "docs")
TEXTS = (".py", ".md", ".sql", ".yaml", ".sh")
HEADING = re.compile(r"docs/([\w-]+\.md)#([\w-]+)")
ELSEWHERE = re.compile(
    r"\(issue \d|\b(?:[Rr]ulings? \d|[Ss]eeds? \d|[Rr]equirements? \d+\.\d|the seed\b(?! "
    r"of)|design §|\((?:design|research): |research/\w)"
)
"""How documents were cited that are not part of the repository."""
PLACE = re.compile(r"`((?:bot|tests|bench|examples)/[\w./-]+)`")
NOT_HERE = {"bot/shipped/", "bot/storage/migrations/NNNN_room_what.sql"}
"""A folder that the wheel alone has, and the form of a name."""


@pytest.fixture(scope="module")
def texts(root: Path) -> dict[Path, str]:
    found = (path for room in ROOMS for path in (root / room).rglob("*") if path.suffix in TEXTS)
    return {path: path.read_text() for path in found if path != Path(__file__)}


def test_each_heading_that_is_named_exists(root: Path, texts: dict[Path, str]):
    known = {
        path.name: anchors(text) for path, text in texts.items() if path.parent == root / "docs"
    }
    named = [(path, *found) for path, text in texts.items() for found in HEADING.findall(text)]
    missing = [
        f"{path}: docs/{name}#{anchor}"
        for path, name, anchor in named
        if anchor not in known.get(name, ())
    ]
    assert len(named) > 50, "code names its rules as docs/rules.md#heading"
    assert not missing, "no such heading:\n" + "\n".join(missing)


def test_no_document_is_cited_that_the_repository_lacks(texts: dict[Path, str]):
    cited = [
        f"{path}:{text.count(chr(10), 0, found.start()) + 1}: {found[0]}"
        for path, text in texts.items()
        for found in ELSEWHERE.finditer(text)
    ]
    assert not cited, (
        "write the reason in place, or name a heading of docs/rules.md:\n" + "\n".join(cited)
    )


def test_each_file_that_a_page_names_exists(root: Path):
    pages = [*(root / "docs").glob("*.md"), root / "CONTRIBUTING.md"]
    named = {(page.name, place) for page in pages for place in PLACE.findall(page.read_text())}
    missing = sorted(
        f"{page}: {place}"
        for page, place in named
        if place not in NOT_HERE and not (root / place).exists()
    )
    assert len(named) > 100
    assert not missing, "no such file or folder:\n" + "\n".join(missing)


def test_each_test_that_the_makefile_names_exists(root: Path):
    named = re.findall(r"\btests/[\w./]+", (root / "Makefile").read_text())
    missing = [place for place in named if not (root / place).exists()]
    assert len(named) > 10
    assert not missing


def test_each_rule_is_relied_on_somewhere(root: Path, texts: dict[Path, str]):
    headings = anchors(texts[root / "docs" / "rules.md"])
    named = {
        anchor
        for text in texts.values()
        for name, anchor in HEADING.findall(text)
        if name == "rules.md"
    }
    assert not (unused := headings - named), (
        f"nothing in the code names {sorted(unused)} of docs/rules.md"
    )


def anchors(document: str) -> set[str]:
    """The anchors of the headings below the title, as GitHub makes them."""
    headings = re.findall(r"^##+ (.+)$", document, re.MULTILINE)
    return {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }
