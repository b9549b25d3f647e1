"""Staging, approval, re-import, change, rejection and removal."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.domain.access import Person, Role
from bot.testing.import_home import ADMIN, ImportHome
from bot.workshop.review.desk import NotAllowed
from bot.workshop.review.staging import NotReviewed

Write = Callable[[str, str | bytes], Path]
PLAIN = "---\nname: tidy\ndescription: Tidies up.\n---\nPut things away.\n"


async def test_a_staged_skill_is_seen_by_nobody_until_it_is_approved(
    home: ImportHome, written: Write
):
    await home.take(written("tidy/SKILL.md", PLAIN))
    assert "tidy" not in (await home.live())[0]
    approved = await home.desk.approve(ADMIN, "tidy")
    assert "tidy" in (await home.live())[0]
    assert home.library.body("tidy") == "Put things away."
    assert (approved.approved_by, approved.accepted_findings) == ("ann", False)
    assert await home.desk.staged() == ()
    assert [step.kind for step in home.steps] == ["skill-imported", "skill-approved"]


async def test_the_same_content_again_is_nothing_to_do_staged_or_live(
    home: ImportHome, written: Write
):
    source = written("tidy/SKILL.md", PLAIN)
    await home.take(source, roles="Partner")
    before = home.files()
    assert (await home.take(source)).items[0].status == "unchanged"
    await home.desk.approve(ADMIN, "tidy")
    assert (await home.take(source)).items[0].status == "unchanged"
    assert len(home.files()) == len(before)
    assert len(home.steps) == 2


async def test_a_change_is_a_new_review_and_the_live_version_stays_until_then(
    home: ImportHome, written: Write
):
    await home.take(written("tidy/SKILL.md", PLAIN))
    await home.desk.approve(ADMIN, "tidy")
    report = await home.take(written("tidy/SKILL.md", PLAIN.replace("away", "outside")))
    assert (report.items[0].name, report.items[0].status, report.items[0].updates_live) == (
        "tidy",
        "staged",
        True,
    )
    await home.live()
    assert home.library.body("tidy") == "Put things away."
    await home.desk.approve(ADMIN, "tidy")
    await home.live()
    assert home.library.body("tidy") == "Put things outside."
    assert "Put things away." in (home.path / "skills/.replaced/tidy/SKILL.md").read_text()


async def test_other_roles_for_the_same_content_are_a_new_review(home: ImportHome, written: Write):
    source = written("tidy/SKILL.md", PLAIN)
    await home.take(source)
    await home.desk.approve(ADMIN, "tidy")
    assert (await home.take(source, roles="Friend+")).items[0].status == "staged"
    await home.desk.approve(ADMIN, "tidy")
    assert (
        "roles: Business, Friend, Partner, MasterAdmin"
        in (home.path / "skills/tidy/SKILL.md").read_text()
    )


async def test_blocking_findings_must_be_accepted_in_so_many_words(
    home: ImportHome, fixtures: Path
):
    await home.take(fixtures / "hostile" / "pipe-to-shell")
    with pytest.raises(NotReviewed, match="pipes a download into a shell"):
        await home.desk.approve(ADMIN, "speed-test")
    assert "speed-test" not in (await home.live())[0]
    assert (await home.desk.approve(ADMIN, "speed-test", accept_findings=True)).accepted_findings
    assert "findings accepted" in home.steps[-1].detail


async def test_content_changed_after_the_audit_is_not_approved(home: ImportHome, written: Write):
    source = written("tidy/SKILL.md", PLAIN)
    await home.take(source)
    path = home.path / "skills/.staged/tidy/SKILL.md"
    path.write_text(path.read_text() + "One more thing.\n")
    with pytest.raises(NotReviewed, match="changed after it had been audited"):
        await home.desk.approve(ADMIN, "tidy", accept_findings=True)
    assert (await home.take(source)).items[0].status == "staged"
    (home.path / "skills/.staged/tidy/more.md").write_text("more")
    with pytest.raises(NotReviewed, match=r"more\.md was changed"):
        await home.desk.approve(ADMIN, "tidy")


async def test_a_decision_that_was_killed_can_be_taken_again(
    home: ImportHome, written: Write, monkeypatch: pytest.MonkeyPatch
):
    await home.take(written("tidy/SKILL.md", PLAIN))
    staged = home.path / "skills/.staged/tidy"
    (staged / f"..provenance.json.{'0' * 16}.tmp").write_text("half")
    await home.desk.approve(ADMIN, "tidy")
    live = [path.name for path in (home.path / "skills/tidy").iterdir()]
    assert sorted(live) == [".provenance.json", "SKILL.md"]

    def ends(folder: Path, **_: object) -> None:
        (folder / ".provenance.json").unlink()
        raise _KilledError

    await home.take(written("tidy/SKILL.md", PLAIN.replace("away", "back")))
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", ends)
        with pytest.raises(_KilledError):
            await home.desk.reject(ADMIN, "tidy")
    assert not staged.exists()


class _KilledError(BaseException):
    pass


async def test_tools_go_live_with_their_skill_and_go_with_it(home: ImportHome, fixtures: Path):
    await home.take(fixtures / "hermes" / "export.json")
    assert "retro_board" not in (await home.live())[1]
    await home.desk.approve(ADMIN, "board-retro")
    skills, tools = await home.live()
    assert ("board-retro" in skills, "retro_board" in tools) == (True, True)
    assert not (home.path / "prompts/tools/readytools/retro_board.md").exists()
    await home.desk.remove(ADMIN, "board-retro")
    skills, tools = await home.live()
    assert ("board-retro" in skills, "retro_board" in tools) == (False, False)


async def test_tools_alone_are_a_package_too(home: ImportHome, fixtures: Path):
    await home.take(fixtures / "gemini" / "tools.json")
    await home.desk.approve(ADMIN, "tools")
    skills, tools = await home.live()
    assert {"set_light", "room_list"} <= tools
    assert "tools" not in skills
    assert not [problem for problem in home.library.problems if "tools" in problem]


async def test_a_rejected_one_is_gone_with_its_tools_and_the_live_one_stays(
    home: ImportHome, fixtures: Path
):
    await home.take(fixtures / "hermes" / "export.json")
    await home.desk.approve(ADMIN, "board-retro")
    await home.desk.reject(ADMIN, "kind-reminder")
    assert await home.desk.staged() == ()
    assert "retro" in (await home.live())[0]
    with pytest.raises(NotReviewed, match="nothing at all"):
        await home.desk.reject(ADMIN, "kind-reminder")


@pytest.mark.parametrize("role", [Role.PARTNER, Role.FRIEND, Role.GUEST, Role.BANNED])
async def test_only_a_master_admin_imports_and_decides(
    home: ImportHome, fixtures: Path, role: Role
):
    await home.take(fixtures / "github" / "pairing.md")
    other = Person("bob", "Bob", role)
    with pytest.raises(NotAllowed):
        await home.desk.import_attachment(other, "x.md", b"# X\n\nText.")
    for decide in (home.desk.approve, home.desk.reject, home.desk.remove):
        with pytest.raises(NotAllowed):
            await decide(other, "pair-programming-notes")
    assert len(home.steps) == 1


@pytest.mark.parametrize("name", ["../tidy", "", ".staged", "a/b", "tidy\0", "TIDY", "x" * 300])
async def test_names_that_are_no_names_reach_no_file(home: ImportHome, name: str):
    for decide in (home.desk.approve, home.desk.reject, home.desk.remove):
        with pytest.raises(NotReviewed):
            await decide(ADMIN, name)


async def test_an_own_skill_or_tool_that_came_meanwhile_is_never_replaced(
    home: ImportHome, fixtures: Path
):
    await home.take(fixtures / "hermes" / "export.json")
    own = home.path / "prompts/tools/shared/retro_board.md"
    own.parent.mkdir(parents=True)
    own.write_text("# retro_board\n\n## Description\nMine.\n")
    with pytest.raises(NotReviewed, match="tool retro_board of your own"):
        await home.desk.approve(ADMIN, "board-retro")
    own.unlink()
    (home.path / "skills/board-retro").mkdir()
    with pytest.raises(NotReviewed, match="skill board-retro of your own"):
        await home.desk.approve(ADMIN, "board-retro")


async def test_names_that_are_taken_get_a_prefix(home: ImportHome, written: Write):
    declared = '[{"name": "%s", "description": "x", "parameters": {"type": "object"}}]'
    written("triage/SKILL.md", PLAIN.replace("tidy", "triage"))
    written("a.json", declared % "read_file")
    report = await home.take(written("b.json", declared % "agent_queen"))
    assert {item.name for item in report.items} >= {"imported-triage"}
    assert {tool for item in report.items for tool in item.tools} == {
        "imported_read_file",
        "imported_agent_queen",
    }


async def test_the_same_skill_from_another_place_is_a_change_of_it_and_says_so(
    home: ImportHome, written: Write
):
    first = await home.take(written("tidy/SKILL.md", PLAIN))
    second = await home.desk.import_attachment(
        ADMIN, "SKILL.md", PLAIN.replace("away", "up").encode()
    )
    assert (first.items[0].name, second.items[0].name) == ("tidy", "tidy")
    assert any(finding.rule == "source" for finding in second.items[0].findings)


async def test_content_restaged_after_review_does_not_go_live(home: ImportHome, written: Write):
    source = written("tidy/SKILL.md", PLAIN)
    await home.take(source)
    reviewed = home.staging.check("tidy", accept_findings=False)
    await home.take(written("tidy/SKILL.md", PLAIN.replace("away", "elsewhere")))
    with pytest.raises(NotReviewed, match="changed meanwhile"):
        home.staging.approve(reviewed)
    assert "tidy" not in (await home.live())[0]
