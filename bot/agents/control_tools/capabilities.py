"""The answer of get_capabilities: this agent's abilities here for this person."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.agents.arguments import CapabilitiesArguments, CapabilitySection
from bot.domain.access import Role
from bot.domain.agents import AgentDefinition
from bot.domain.finding import ServiceOffer
from bot.domain.json_types import JsonObject
from bot.domain.runs import RunKind
from bot.domain.skills import Skill, SkillManifest
from bot.domain.tool_context import ListedTool, ToolsetView
from bot.domain.tools import ToolDefinition, one_line

SHOWN = 100
"""The limit for tools, and for skills: the rest is counted, and found with a query."""
SKILLS_AT_FIRST = 10
"""The limit for skills where all sections are shown: a hundred of them were two thirds of it."""


@dataclass(frozen=True)
class Introspection:
    """The facts for the answer.

    Everything in it is already limited by the person's role.
    """

    agent: AgentDefinition
    role: Role
    run: RunKind
    toolset: ToolsetView
    agents: Sequence[AgentDefinition] = ()
    skills: Sequence[Skill] = ()
    active_skills: Sequence[str] = ()
    integrations: Sequence[str] = ()
    offers: Sequence[ServiceOffer] = ()
    """Services that the person's requests can't use now."""
    calls_left: int = 0
    tool_calls_left: int = 0
    manifests: Sequence[SkillManifest] = ()
    """Sets of tools that activate_skill makes available."""


def capabilities_text(
    given: CapabilitiesArguments, about: Introspection
) -> tuple[str, tuple[ToolDefinition, ...]]:
    """The JSON answer, and the definitions requested by name, which will be unlocked.

    With names, the overview has only the requested sections.
    """
    answer, definitions = _by_name(given.names, about.toolset) if given.names else ({}, ())
    if given.include or not given.names:
        answer |= _overview(given, about)
    return json.dumps(answer, ensure_ascii=False), definitions


def _by_name(
    names: Sequence[str], toolset: ToolsetView
) -> tuple[JsonObject, tuple[ToolDefinition, ...]]:
    definitions = toolset.describe(tuple(names))
    known = {name.casefold() for tool in definitions for name in (tool.name, *tool.aliases)}
    locked = [tool for tool in definitions if not toolset.is_callable(tool.name)]
    answer: JsonObject = {"unlocked": [_entry(tool) for tool in locked]}
    if declared := [_entry(tool) for tool in definitions if tool not in locked]:
        answer["declared_before"] = declared
    if missing := [name for name in names if name.casefold() not in known]:
        answer["not_found"] = missing
        answer["hint"] = (
            "tool_search finds tools by pattern or words; what it doesn't find is not "
            "available here"
        )
    return answer, definitions


def _entry(tool: ToolDefinition) -> JsonObject:
    """Not here: the definition follows as a declaration, or is already in the request."""
    return {"name": tool.name, "access": tool.access.describe()}


def _overview(given: CapabilitiesArguments, about: Introspection) -> JsonObject:
    words = given.query.casefold().split()
    run = (
        about.run.shape.value
        if about.run.event is None
        else f"{about.run.shape.value} ({about.run.event})"
    )
    answer: JsonObject = {"agent": about.agent.name, "role": about.role.value, "run": run}
    if _wanted("tools", given):
        answer |= _tools(about.toolset.listing(), words)
    if _wanted("agents", given):
        answer["agents"] = _agents(about, words)
    if _wanted("skills", given):
        answer |= _skills(about, words, SHOWN if given.include or words else SKILLS_AT_FIRST)
    if _wanted("integrations", given):
        answer["integrations"] = [name for name in about.integrations if _mentions(words, name)]
        answer |= _offers(about.offers, words)
    if _wanted("budgets", given):
        answer["budgets"] = {
            "model_calls_left": about.calls_left,
            "tool_calls_left": about.tool_calls_left,
        }
    return answer


def _wanted(section: CapabilitySection, given: CapabilitiesArguments) -> bool:
    return not given.include or section in given.include


def _mentions(words: Sequence[str], *texts: str) -> bool:
    everything = " ".join(texts).casefold()
    return all(word in everything for word in words)


def _tools(listing: Sequence[ListedTool], words: Sequence[str]) -> JsonObject:
    matching = [tool for tool in listing if _mentions(words, tool.name, tool.one_liner)]
    # Stable: within each half the toolset's own order stays.
    matching.sort(key=lambda tool: not tool.unlocked)
    shown = [
        {"name": tool.name, "one_liner": tool.one_liner, "unlocked": tool.unlocked}
        for tool in matching[:SHOWN]
    ]
    return {"tools": shown, **_left_out("tools", len(matching))}


def _agents(about: Introspection, words: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"name": agent.name, "description": one_line(agent.description)}
        for agent in about.agents
        if agent.name != about.agent.name and _mentions(words, agent.name, agent.description)
    ]


def _skills(about: Introspection, words: Sequence[str], most: int) -> JsonObject:
    available = [skill for skill in about.skills if _mentions(words, skill.name, skill.description)]
    shown = [
        {"name": skill.name, "description": one_line(skill.description), "path": skill.path}
        for skill in available[:most]
    ]
    skills: JsonObject = {
        "active": [name for name in about.active_skills if _mentions(words, name)],
        "available": shown,
        "to_activate": [
            {
                "skill_id": item.skill_id,
                "name": item.name,
                "description": one_line(item.description),
            }
            for item in about.manifests
            if _mentions(words, item.skill_id, item.name, item.description, *item.required_tools)
        ],
    }
    return {"skills": skills, **_left_out("skills", len(available), most)}


def _offers(offers: Sequence[ServiceOffer], words: Sequence[str]) -> JsonObject:
    """What the person could connect themself, and the way to each service that is not set up."""
    wanted = [one for one in offers if _mentions(words, one.id, one.title, one.gives)]
    could = {one.id: one.gives for one in wanted if one.by_person}
    missing = {one.id: f"{one.gives}. {one.way}" for one in wanted if not one.by_person}
    return {
        **({"could_connect": could} if could else {}),
        **({"not_set_up": missing} if missing else {}),
    }


def _left_out(what: str, matching: int, most: int = SHOWN) -> JsonObject:
    return {f"{what}_left_out": f"{matching - most}; narrow with query"} if matching > most else {}
