"""The library: lookup, scoping, listing, live reload."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.runs import RunShape
from bot.domain.skills import Skill
from bot.shipped import shipped_dir
from bot.skills.library import SkillLibrary


def write(root: Path, name: str, front: str = "", body: str = "Do it.") -> Path:
    path = root / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"---\nname: {name}\ndescription: About {name}.\n{front}\n---\n{body}\n", encoding="utf-8"
    )
    return path


async def loaded(*roots: Path) -> SkillLibrary:
    library = SkillLibrary(roots)
    await library.load()
    return library


def names(skills: tuple[Skill, ...]) -> list[str]:
    return [skill.name for skill in skills]


async def test_nothing_is_read_before_load_and_a_missing_folder_is_empty(tmp_path: Path):
    write(tmp_path, "standup")
    library = SkillLibrary([tmp_path / "none", tmp_path])
    assert library.all() == ()
    await library.load()
    assert names(library.all()) == ["standup"]
    assert library.problems == ()


async def test_the_homes_skill_hides_the_shipped_one_and_can_switch_it_off(tmp_path: Path):
    home, shipped = tmp_path / "home", tmp_path / "shipped"
    write(shipped, "standup", body="shipped")
    write(shipped, "triage")
    write(home, "standup", body="mine")
    (home / "triage").mkdir()
    (home / "triage" / "SKILL.md").write_text("---\ndisabled: true\n---\n")
    library = await loaded(home, shipped)
    assert names(library.all()) == ["standup"]
    assert library.body("standup") == "mine"


async def test_a_broken_skill_is_left_out_and_named_and_the_rest_works(tmp_path: Path):
    path = write(tmp_path, "broken", front="agents: '!'")
    write(tmp_path, "good")
    (tmp_path / "empty").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "README.md").write_text("no skill")
    library = await loaded(tmp_path)
    assert names(library.all()) == ["good"]
    assert [problem.split(":")[0] for problem in library.problems] == [
        f"{path}, line 4",
        str(tmp_path / "empty" / "SKILL.md"),
    ]


async def test_a_link_that_leads_nowhere_is_named_and_stops_no_other_skill(tmp_path: Path):
    write(tmp_path, "good")
    (tmp_path / "loop").symlink_to("loop")
    library = await loaded(tmp_path)
    assert names(library.all()) == ["good"]
    assert [problem.split(":")[0] for problem in library.problems] == [
        str(tmp_path / "loop" / "SKILL.md")
    ]


async def test_a_broken_home_skill_leaves_the_shipped_one_in_place(tmp_path: Path):
    home, shipped = tmp_path / "home", tmp_path / "shipped"
    write(shipped, "standup", body="shipped")
    (home / "standup").mkdir(parents=True)
    (home / "standup" / "SKILL.md").write_text("nonsense")
    library = await loaded(home, shipped)
    assert library.body("standup") == "shipped"
    assert len(library.problems) == 1


@pytest.mark.parametrize(
    ("front", "still"),
    [
        ("roles: Partnr", []),
        ("role: Partner", []),
        ("roles: Partner\nagents: '!'", [Role.PARTNER]),
        ("agents: '!'", [Role.GUEST, Role.PARTNER]),
        ("roles: [Partner", []),
    ],
)
@pytest.mark.parametrize("at_start", [True, False])
async def test_a_broken_skill_gives_no_right_that_it_does_not_name(
    front: str, still: list[Role], at_start: bool, tmp_path: Path
):
    home, shipped = tmp_path / "home", tmp_path / "shipped"
    write(shipped, "standup")
    library = SkillLibrary([home, shipped])
    if not at_start:
        write(home, "standup")
        await library.load()
    write(home, "standup", front)
    await library.reload_changed()
    assert library.problems
    assert [role for role in (Role.GUEST, Role.PARTNER) if library.visible(role)] == still
    assert library.visible(Role.MASTER_ADMIN)


async def test_changes_are_found_and_an_invalid_one_keeps_the_last_good(tmp_path: Path):
    path = write(tmp_path, "standup", body="one")
    library = await loaded(tmp_path)
    assert not await library.reload_changed()
    write(tmp_path, "standup", body="two, longer")
    write(tmp_path, "triage")
    assert await library.reload_changed()
    assert library.body("standup") == "two, longer"
    assert names(library.all()) == ["standup", "triage"]
    path.write_text("broken")
    assert await library.reload_changed()
    assert library.body("standup") == "two, longer"
    assert len(library.problems) == 1
    path.unlink()
    path.parent.rmdir()
    assert await library.reload_changed()
    assert names(library.all()) == ["triage"]
    assert library.problems == ()


async def test_links_do_not_lead_out_of_the_folder(tmp_path: Path):
    outside = write(tmp_path / "outside", "secret")
    root = tmp_path / "skills"
    root.mkdir()
    (root / "secret").symlink_to(outside.parent)
    (root / "standup").mkdir()
    (root / "standup" / "SKILL.md").symlink_to(outside)
    library = await loaded(root)
    assert library.all() == ()
    assert len(library.problems) == 2


@pytest.mark.parametrize(
    ("agents", "assistant", "observer", "researcher"),
    [
        ("", True, True, True),
        ("agents: all", True, True, True),
        ("agents: all_specialists", False, True, True),
        ("agents: cognitive", True, False, False),
        ("agents: observer", False, True, False),
        ("agents: [cognitive, researcher]", True, False, True),
    ],
)
async def test_scoping(
    agents: str, assistant: bool, observer: bool, researcher: bool, tmp_path: Path
):
    write(tmp_path, "standup", front=agents)
    library = await loaded(tmp_path)
    assert bool(library.for_agent("assistant", False, Role.GUEST)) is assistant
    assert bool(library.for_agent("Observer", True, Role.GUEST)) is observer
    assert bool(library.for_agent("researcher", True, Role.GUEST)) is researcher


async def test_skills_for_the_agent_precede_those_for_its_kind_and_for_all(tmp_path: Path):
    write(tmp_path, "a-all")
    write(tmp_path, "b-kind", front="agents: cognitive")
    write(tmp_path, "c-own", front="agents: other, assistant")
    write(tmp_path, "d-event", front="agents: assistant\nruns: triggered")
    library = await loaded(tmp_path)
    assert names(library.for_agent("assistant", False, Role.GUEST)) == ["c-own", "b-kind", "a-all"]
    shown = library.for_agent("assistant", False, Role.GUEST, RunShape.TRIGGERED)
    assert names(shown) == ["c-own", "d-event", "b-kind", "a-all"]


async def test_a_skill_with_roles_is_not_there_for_others(tmp_path: Path):
    write(tmp_path, "payroll", front="roles: Partner+")
    library = await loaded(tmp_path)
    there = {role for role in Role if library.for_agent("assistant", False, role)}
    assert there == {Role.PARTNER, Role.MASTER_ADMIN}
    assert {role for role in Role if library.visible(role)} == there


async def test_subscribers_hear_of_changes_and_of_nothing_else(tmp_path: Path):
    library = await loaded(tmp_path)
    heard: list[str] = []
    library.subscribe(lambda: heard.append("changed"))
    await library.reload_changed()
    assert heard == []
    write(tmp_path, "standup")
    await library.reload_changed()
    assert heard == ["changed"]


async def test_the_listing_describes_skills_without_bodies_or_slash_only_ones(
    tmp_path: Path,
):
    write(tmp_path, "standup", body="SECRET BODY")
    write(tmp_path, "quiet", front="command: quiet\nauto_invoke: false")
    library = await loaded(tmp_path)
    assert names(library.all()) == ["quiet", "standup"]
    assert library.listing(library.all(), 1000) == "- standup: About standup."


async def test_a_command_that_two_skills_want_goes_to_the_first(tmp_path: Path):
    write(tmp_path, "a", front="command: go")
    path = write(tmp_path, "b", front="command: go")
    library = await loaded(tmp_path)
    assert [skill.command for skill in library.all()] == ["go", "go"]
    said = "the skill a has /go too, so this one gets a number at its end; rename one"
    assert library.problems == (f"{path}, line 4: {said}",)


@given(st.lists(st.text("abc ", min_size=1, max_size=60), max_size=12), st.integers(0, 400))
def test_a_listing_never_exceeds_its_room_and_counts_what_is_missing(
    descriptions: list[str], chars: int
):
    skills = [
        Skill(f"s{number}", text, f"/skills/s{number}/SKILL.md")
        for number, text in enumerate(descriptions)
    ]
    listing = SkillLibrary(()).listing(skills, chars)
    assert len(listing) <= chars
    lines = listing.split("\n") if listing else []
    if len(lines) > 1 and lines[-1].startswith("- and "):
        assert lines[-1] == f"- and {len(skills) - len(lines) + 1} more"
    elif chars >= 20:
        assert len(lines) in {len(skills), 1}


async def test_a_connectors_skill_needs_it_even_when_the_home_rewords_it(
    tmp_path: Path,
):
    write(tmp_path / "shipped", "standup")
    write(tmp_path / "calendar", "calendar-events", body="As shipped.")
    library = SkillLibrary(
        [tmp_path / "home", tmp_path / "shipped"], {"calendar": tmp_path / "calendar"}
    )
    await library.load()
    assert names(library.for_agent("assistant", False, Role.GUEST)) == ["standup"]
    connected = {"calendar"}
    assert names(library.for_agent("assistant", False, Role.GUEST, connected=connected)) == [
        "calendar-events",
        "standup",
    ]
    assert names(library.visible(Role.GUEST)) == ["standup"]

    write(tmp_path / "home", "calendar-events", body="Our way.")
    await library.reload_changed()
    assert library.body("calendar-events") == "Our way."
    assert names(library.visible(Role.GUEST)) == ["standup"]
    assert names(library.visible(Role.GUEST, connected)) == ["calendar-events", "standup"]


async def test_a_listing_names_families_in_one_line_however_many_skills_they_have(tmp_path: Path):
    write(tmp_path, "alone")
    for number in range(40):
        write(tmp_path, f"s{number}", front="metadata: {family: team}")
        write(tmp_path, f"t{number}", front="family: garden-work")
    library = await loaded(tmp_path)
    listing = library.listing(library.all(), 1000)
    assert listing == "- many for teamwork, garden work: tool_search\n- alone: About alone."


def test_skills_that_only_say_how_to_brief_an_agent_share_a_line():
    def one(name: str, description: str) -> Skill:
        return Skill(name, description, f"/skills/{name}/SKILL.md")

    alone = [one("a", "About a."), one("agents-using-ben", "Brief agent_ben.")]
    assert SkillLibrary(()).listing(alone, 1000) == (
        "- a: About a.\n- agents-using-ben: Brief agent_ben."
    )
    two = [*alone, one("agents-using-cy", "Brief agent_cy."), one("agents-using-d", "Wait.")]
    assert SkillLibrary(()).listing(two, 1000) == (
        "- agents-using-<name>: Brief agent_<name>.\n- a: About a.\n- agents-using-d: Wait."
    )


async def test_in_a_home_that_is_the_checkout_no_text_is_known_to_ship(tmp_path: Path):
    shipped = shipped_dir("skills")
    apart, together = SkillLibrary([tmp_path, shipped]), SkillLibrary([shipped, shipped])
    for library in (apart, together):
        await library.load()
    [skill] = [one for one in apart.all() if one.name == "standup"]
    assert apart.text_that_ships(skill) == apart.body("standup")
    assert together.body("standup")
    assert together.text_that_ships(skill) is None
