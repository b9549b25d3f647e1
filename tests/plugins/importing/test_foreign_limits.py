"""An imported skill's own limits are taken over in Bellhop's names, and hold when live."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from bot.domain.access import Access
from bot.domain.skills import Skill
from bot.plugins.importing.formats import Format
from bot.plugins.importing.skill_md import read_skill_md
from bot.skills.skill_file import parse_skill_file
from bot.workshop.review.foreign import ForeignSkill
from bot.workshop.review.rendering import render_skill


def imported(**keys: Any) -> tuple[ForeignSkill, Skill | None]:
    head = yaml.safe_dump(
        {"name": "Report", "description": "Writes it.", **keys}, allow_unicode=True
    )
    skill = read_skill_md(
        "report/SKILL.md", f"---\n{head}---\n\nWrite it.\n".encode(), {}, Format.AUTO
    )
    data, _ = render_skill(skill, "report", None, Access.parse("MasterAdmin"))
    return skill, parse_skill_file(data, Path("report/SKILL.md")).skill


def test_foreign_tools_get_local_names_that_the_review_shows():
    skill, live = imported(
        **{"allowed-tools": "Read, Bash(git:*) WebFetch NotebookEdit mcp__tracker__*"}
    )
    assert live is not None
    assert live.confinement is not None
    assert live.confinement.tools == ("read_file", "pm_shell", "web_fetch", "mcp__tracker__*")
    assert live.confinement.own == "/skills/report"
    said = [finding.text for finding in skill.findings if finding.rule == "limits"]
    assert said == [
        "allowed-tools: NotebookEdit means nothing here and allows nothing",
        (
            "its turns are held to what it states: tools read_file, pm_shell, web_fetch, "
            "mcp__tracker__*"
        ),
    ]


def test_hosts_and_paths_are_taken_and_what_is_none_allows_nothing():
    _, live = imported(
        hosts=["API.example.org", "https://evil.net"], paths="/documents/reports, ../up"
    )
    assert live is not None
    assert live.confinement is not None
    assert live.confinement.hosts == ("api.example.org",)
    assert live.confinement.paths == ("/documents/reports",)


@pytest.mark.parametrize("value", ["", [], {"a": "b"}, [["read"]], 7, True])
def test_a_list_that_says_nothing_allows_nothing(value: Any):
    _, live = imported(**{"allowed-tools": value})
    assert live is not None
    assert live.confinement is not None
    assert not {"read_file", "pm_shell", "send_email"} & set(live.confinement.tools or ())


def test_a_skill_that_states_nothing_is_limited_by_nothing():
    _, live = imported()
    assert live is not None
    assert live.confinement is None


values = st.recursive(
    st.text(max_size=30) | st.integers() | st.booleans(), lambda inner: st.lists(inner, max_size=4)
)


@given(values, values, values)
@example([], [], "\U000119a0")  # outside of the basic plane
def test_any_limits_give_a_readable_skill(tools: Any, hosts: Any, paths: Any):
    _, live = imported(**{"allowed-tools": tools, "hosts": hosts, "paths": paths})
    assert live is not None
    assert live.confinement is not None
