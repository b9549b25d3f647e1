"""Playbook candidates: read with line errors, and made into equally limited skills."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import SystemClock
from bot.domain.access import Access, Role
from bot.errors import DefinitionError
from bot.skills.library import SkillLibrary
from bot.skills.playbooks import NotPromoted, read_playbook
from bot.skills.skill_file import parse_skill_file
from bot.testing.contexts import make_person
from bot.workshop.review.desk import ImportDesk, NotAllowed, Step
from bot.workshop.review.names import TakenNames
from bot.workshop.review.staging import Staging

TEXT = """\
---
name: "Weekly: numbers"
signature: knowledge_search > calculate > write_file > send
tools: [knowledge_search, calculate, write_file, send]
occurrences: 4
sessions: [s-12, s-19, s-31]
first_seen: 2026-10-02
last_seen: 2026-11-13T09:00:00+00:00
status: candidate
note: kept as it is
---

## Steps

1. Search the numbers.
2. Add them up.
"""

OWNER = make_person("olga", Role.MASTER_ADMIN)


class Office:
    """A home with a candidate, and the desk that promotes; `steps` is its audit log."""

    def __init__(self, home: Path, taken: frozenset[str] = frozenset()) -> None:
        self.home = home
        self.steps: list[Step] = []
        self.told = 0
        self.begun = False

        async def names() -> TakenNames:
            return TakenNames(skills=taken)

        async def record(step: Step) -> None:
            assert self.begun or not self.skill.exists(), (
                "nothing becomes live before its line in the audit log"
            )
            self.steps.append(step)

        async def changed() -> None:
            self.told += 1

        self.desk = ImportDesk(Staging(home), names, SystemClock(), record, changed)

    @property
    def skill(self) -> Path:
        return self.home / "skills" / "weekly" / "SKILL.md"

    @property
    def candidate(self) -> Path:
        return self.home / "memory" / "playbooks" / "candidates" / "weekly.md"

    def write(self, text: str = TEXT) -> "Office":
        self.candidate.parent.mkdir(parents=True, exist_ok=True)
        self.candidate.write_text(text)
        return self


async def test_a_promoted_candidate_is_a_live_skill_held_to_its_tools(tmp_path: Path):
    office = Office(tmp_path).write()
    playbook, done = await office.desk.promote(OWNER, "weekly", Access.parse("Partner+"))
    assert done
    assert playbook.occurrences == 4
    library = SkillLibrary([tmp_path / "skills"])
    await library.load()
    assert library.problems == ()
    skill = library.get("weekly")
    assert skill is not None
    assert skill.confinement is not None
    assert skill.confinement.tools == ("knowledge_search", "calculate", "write_file", "send")
    assert skill.command == "weekly"
    assert not skill.access.allows(Role.FRIEND)
    assert skill.description.startswith("Weekly: numbers. A way of working that served 4 times")
    assert (library.body("weekly") or "").startswith("## Steps\n\n1. Search the numbers.")
    assert office.candidate.read_text() == TEXT.replace("status: candidate", "status: promoted")
    assert [(step.person, step.kind, step.name) for step in office.steps] == [
        ("olga", "playbook-promoted", "weekly")
    ]
    assert office.told == 1


async def test_promoting_twice_changes_nothing(tmp_path: Path):
    office = Office(tmp_path).write()
    await office.desk.promote(OWNER, "weekly")
    office.skill.write_text(office.skill.read_text() + "3. Mine.\n")
    before = office.skill.read_text()
    _, done = await office.desk.promote(OWNER, "weekly.md")
    assert not done
    assert office.skill.read_text() == before
    assert len(office.steps) == 1


async def test_a_promotion_that_was_cut_off_is_finished(tmp_path: Path):
    office = Office(tmp_path).write()
    await office.desk.promote(OWNER, "weekly")
    office.candidate.write_text(TEXT)
    again = Office(tmp_path, frozenset({"weekly"}))
    again.begun = True
    _, done = await again.desk.promote(OWNER, "weekly")
    assert done
    assert "status: promoted" in office.candidate.read_text()


async def test_a_skill_of_that_name_is_never_replaced_or_hidden(tmp_path: Path):
    shipped = Office(tmp_path, frozenset({"weekly"})).write()
    with pytest.raises(NotPromoted, match="a skill weekly already"):
        await shipped.desk.promote(OWNER, "weekly")
    own = Office(tmp_path).write()
    own.skill.parent.mkdir(parents=True)
    own.skill.write_text("mine")
    with pytest.raises(NotPromoted, match="a skill weekly already"):
        await own.desk.promote(OWNER, "weekly")
    assert own.skill.read_text() == "mine"
    assert not own.steps
    assert not shipped.steps


async def test_only_a_master_admin_promotes(tmp_path: Path):
    office = Office(tmp_path).write()
    with pytest.raises(NotAllowed):
        await office.desk.promote(make_person("ben", Role.PARTNER), "weekly")
    assert not office.skill.exists()


@pytest.mark.parametrize("name", ["../weekly", "..", "", "nothing", "Weekly", "a/b", "x" * 300])
async def test_an_unknown_candidate_lists_the_known_ones(tmp_path: Path, name: str):
    with pytest.raises(NotPromoted, match="there are: weekly"):
        await Office(tmp_path).write().desk.promote(OWNER, name)


async def test_a_link_is_no_candidate(tmp_path: Path):
    office = Office(tmp_path).write()
    (office.candidate.parent / "other.md").symlink_to(office.candidate)
    with pytest.raises(Exception, match="other"):
        await office.desk.promote(OWNER, "other")
    assert not (tmp_path / "skills" / "other").exists()


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        (
            "tools: [knowledge_search, calculate, write_file, send]",
            "tools: []",
            4,
            "tools is missing or empty",
        ),
        ("[knowledge_search,", "[Bash(rm *),", 4, "is no tool"),
        ("occurrences: 4", "occurrences: many", 5, "must be a number"),
        ("sessions: [s-12, s-19, s-31]", "sessions: {a: b}", 6, "must be a list"),
        ("first_seen: 2026-10-02", "first_seen: once", 7, "must be a date"),
        ("status: candidate", "status: ready", 9, "it must be candidate"),
        ("status: candidate\n", "", 2, "it must be candidate"),
        ('name: "Weekly: numbers"', "name: Weekly: numbers", 2, ""),
        ("---\nname", "name", 1, "front matter is missing"),
    ],
)
async def test_a_broken_candidate_is_refused_naming_file_and_line(
    tmp_path: Path, old: str, new: str, line: int, word: str
):
    office = Office(tmp_path).write(TEXT.replace(old, new, 1))
    with pytest.raises(NotPromoted, match=rf"weekly\.md, line {line}: .*{word}"):
        await office.desk.promote(OWNER, "weekly")
    assert not office.skill.exists()


@given(st.text(max_size=400))
def test_any_text_is_a_playbook_or_an_error_with_a_line(text: str):
    for whole in (text, TEXT + text, TEXT.replace("candidate", text), TEXT.replace("[s-12", text)):
        told = ""
        try:
            assert read_playbook(whole, Path("weekly.md")).tools
        except DefinitionError as error:
            told = str(error)
        assert not told or told.startswith("weekly.md, line ")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200))
def test_any_playbook_name_gives_a_readable_skill(name: str):
    import json  # noqa: PLC0415

    from bot.skills.playbooks import skill_of  # noqa: PLC0415

    try:
        playbook = read_playbook(
            TEXT.replace('"Weekly: numbers"', json.dumps(name)), Path("weekly.md")
        )
    except DefinitionError:
        return
    skill = parse_skill_file(skill_of(playbook, Access()), Path("weekly/SKILL.md")).skill
    assert skill is not None
    assert skill.confinement is not None
    assert skill.confinement.tools == playbook.tools
