"""Texts of custom skills: their meaning, errors with lines, and round trips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.access import Access, Role
from bot.errors import DefinitionError
from bot.skills.custom_file import CustomText, parse_custom_skill, render_custom_skill, skill_path

PATH = "/custom-skills/weekly.md"


def text(front: str, body: str = "Do it.") -> str:
    return f"---\n{front}\n---\n{body}\n"


def test_a_whole_text_is_read():
    skill = parse_custom_skill(
        text(
            "name: Weekly report\ndescription: Reports.\ncommand: /Week-ly\nauto_invoke: "
            "true\nroles: Partner+"
        ),
        PATH,
    )
    assert (skill.slug, skill.title, skill.command, skill.auto_invoke) == (
        "weekly",
        "Weekly report",
        "week_ly",
        True,
    )
    assert skill.access.allows(Role.PARTNER)
    assert not skill.access.allows(Role.FRIEND)


@pytest.mark.parametrize(
    ("front", "line", "problem"),
    [
        ("name: x", 2, "add command: weekly, or auto_invoke: true"),
        ("name: x\nauto_invoke: true", 3, "needs a description"),
        ("name: x\ncommand: '!!'", 3, "can't be a command"),
        ("command: x\nauto_invoke: maybe", 3, "true or false"),
        ("command: x\nroles: Chief", 3, "unknown role 'Chief'"),
        ("command: x\nroles: ''", 3, "names no role"),
        ("command: x\nname: [unclosed", 3, "not valid YAML"),
    ],
)
def test_a_wrong_text_is_named_with_path_line_and_remedy(front: str, line: int, problem: str):
    with pytest.raises(DefinitionError, match=problem) as caught:
        parse_custom_skill(text(front), PATH)
    assert str(caught.value).startswith(f"{PATH}, line {line}")


@pytest.mark.parametrize(
    ("path", "better"),
    [
        ("/custom-skills/Weekly Report.md", "/custom-skills/weekly_report.md"),
        ("/custom-skills/weekly", "/custom-skills/weekly.md"),
        ("/custom-skills/shared.md", "/custom-skills/my_shared.md"),
        ("/custom-skills/shared/A-B/SKILL.md", "/custom-skills/shared/a_b.md"),
    ],
)
def test_a_path_that_is_no_skills_is_answered_with_one_that_is(path: str, better: str):
    with pytest.raises(DefinitionError) as caught:
        skill_path(path)
    assert str(caught.value).endswith(f"write {better}")


def test_paths_name_the_skill_or_a_file_beside_it():
    assert skill_path("/custom-skills/a/SKILL.md") == skill_path("/custom-skills/shared/a/SKILL.md")
    assert not skill_path("/custom-skills/a/table.md").is_skill


LINE = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=40)


@given(LINE, LINE, st.sampled_from([None, "go"]), LINE)
def test_written_skills_read_back_the_same(
    title: str, description: str, command: str | None, body: str
):
    skill = CustomText(
        "weekly", title, description, command, True, body, Access(frozenset({Role.PARTNER}))
    )
    assert parse_custom_skill(render_custom_skill(skill), PATH) == skill


@given(st.text(max_size=300), st.booleans())
def test_any_text_is_read_or_refused_in_a_sentence(content: str, fenced: bool):
    problem = PATH
    try:
        parse_custom_skill(text(content) if fenced else content, PATH)
    except DefinitionError as error:
        problem = str(error)
    assert problem.startswith(PATH)
