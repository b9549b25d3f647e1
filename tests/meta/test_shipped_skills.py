"""Shipped skills: valid, short, and every tool that they name exists."""

import re
from pathlib import Path

import pytest

from bot.agents.definitions.registry import AgentRegistry
from bot.domain.access import Role
from bot.domain.tools import one_line
from bot.shipped import shipped_dir
from bot.skills.library import SkillLibrary
from bot.testing.shipped_tools import AGENT_ROOTS, CONNECTOR_SKILLS, shipped_files

NOT_TOOLS = {
    "all_specialists",
    "max_turns",
    "send_invoice",
    "weather_report",
    "agent_name",
    "auto_invoke",
    # of programs that skills about machines name, and of what a tool here returns
    *("add_header", "depends_on", "pg_dump", "read_only", "s_client", "service_healthy"),
    *("valid_from", "valid_until"),
}
LISTING_CHARS = 1_200
"""What the system prompt gives to the listing."""


async def library() -> SkillLibrary:
    skills = SkillLibrary([shipped_dir("skills")], CONNECTOR_SKILLS)
    await skills.load()
    return skills


def tools() -> set[str]:
    named = {path.stem for path in shipped_files()}
    return named | {f"agent_{path.stem}" for root in AGENT_ROOTS for path in root.glob("*.md")}


async def test_every_shipped_skill_is_valid_and_all_fit_into_the_listing():
    skills = await library()
    assert skills.problems == ()
    expected = {
        "calendar-events",
        "meeting-notes",
        "standup",
        "triage",
        "writing-skills",
        "writing-tools",
    }
    assert {skill.name for skill in skills.all()} >= expected
    listing = skills.listing(
        skills.for_agent("assistant", False, Role.MASTER_ADMIN, connected=CONNECTOR_SKILLS),
        LISTING_CHARS,
    )
    assert not re.search(r"and \d+ more", listing)


async def test_skills_name_only_tools_that_exist():
    skills, known = await library(), tools()
    for skill in skills.all():
        body = skills.body(skill.name) or ""
        words = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", body))
        assert words <= known | NOT_TOOLS, (skill.name, words - known - NOT_TOOLS)


FOLDERS = (shipped_dir("skills"), *CONNECTOR_SKILLS.values())


@pytest.mark.parametrize(
    "path",
    sorted(path for folder in FOLDERS for path in folder.glob("*/SKILL.md")),
    ids=lambda path: path.parent.name,
)
def test_skills_are_short_enough_to_be_read_whole(path: Path):
    assert len(path.read_text(encoding="utf-8")) < 4_500


LINE_CHARS = 60


async def test_each_specialist_says_in_a_line_what_it_is_for():
    # The queen alone reads of her ants.
    agents = AgentRegistry([root for root in AGENT_ROOTS if root.parent.name != "swarm"])
    await agents.load()
    for agent in agents.all():
        line = one_line(agent.description)
        if agent.specialist:
            assert len(line) <= LINE_CHARS, agent.name
            assert agent.description.removeprefix(line).strip(), f"{agent.name}: what to give it?"


async def test_few_shipped_skills_have_a_command_because_discord_takes_100_in_all():
    commands = {skill.command for skill in (await library()).all() if skill.command}
    assert {"standup", "triage"} <= commands
    assert len(commands) <= 20
