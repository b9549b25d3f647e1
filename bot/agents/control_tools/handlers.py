"""The control tools that concern one run: its end, its questions, its facts, its abilities."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.agents.arguments import (
    AskArguments,
    CapabilitiesArguments,
    CapabilitySection,
    FinishArguments,
    MoreTurnsArguments,
    SaveFactArguments,
)
from bot.agents.definitions.registry import AgentRegistry, agent_tool
from bot.agents.loop.calls import ControlContext, control_tool
from bot.agents.loop.run import CEILING, Run
from bot.domain.access import Role
from bot.domain.agents import AgentDefinition
from bot.domain.finding import ServiceOffer
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, described_by
from bot.domain.runs import RunKind, RunShape
from bot.domain.skills import Skill, SkillManifest
from bot.domain.tool_context import ListedTool, NativeTool, ToolContext, ToolsetView
from bot.domain.tool_outcomes import (
    SILENT,
    AskPerson,
    BudgetExtended,
    Fact,
    FactSaved,
    Finish,
    ToolOutcome,
    ToolResult,
    Unlocked,
)
from bot.domain.tools import ToolDefinition, one_line
from bot.domain.work import find_work, may_be_silent
from bot.errors import ToolError
from bot.llm.unlocking import CALL_TOOL
from bot.memory.facts import checked_key, checked_value
from bot.skills.library import SkillLibrary
from bot.tools.toolset.dispatcher import CallToolArguments
from bot.tools.toolset.toolset import Toolset

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


_NOBODY_WAITS = frozenset({RunShape.SCHEDULED, RunShape.TRIGGERED})


def _waits(context: ControlContext) -> bool:
    """Whether somebody waits for what a run answers."""
    run = context.caller
    awaited = run.record.answered or run.callbacks.named()
    silent = may_be_silent(find_work(context.turn.body)) and not awaited
    return bool(context.depth) or not (context.run.shape in _NOBODY_WAITS or silent)


async def finish_task(context: ControlContext, given: FinishArguments) -> ToolOutcome:
    if given.status == SILENT and _waits(context):
        return ToolResult(
            "somebody waits for this answer, so it can't be silent; end without that status",
            is_error=True,
        )
    return Finish(given.answer, given.status, given.follow_up, given.alone)


async def ask_user_for_clarification(context: ControlContext, given: AskArguments) -> ToolOutcome:
    if context.caller.for_asker:
        return ToolResult(
            "not asked: others would read the question, and what you read is the asker's alone; "
            "answer with what you have, and ask in the answer, which they alone get",
            is_error=True,
        )
    if not context.run.shape.person_present or context.depth:
        return ToolResult(
            "nobody is present to answer in this run; decide with what you have, or name what is "
            "missing in your"
            " final answer so that the caller can ask",
            is_error=True,
        )
    return AskPerson(given.question, tuple(given.options), given.files)


async def save_fact(context: ToolContext, given: SaveFactArguments) -> ToolOutcome:
    fact = Fact(
        key=checked_key(given.key),
        value=checked_value(given.value),
        source_agent=context.agent,
        cycle_id=context.cycle_id,
        at=context.now,
        origin=context.origin,
        private=context.private,
    )
    return ToolResult(f"saved for this session: {fact.key}", effects=(FactSaved(fact),))


async def request_more_turns(context: ControlContext, given: MoreTurnsArguments) -> ToolOutcome:
    room = CEILING - context.caller.budget.calls
    if room <= 0:
        return ToolResult(
            f"refused: this run already has all {CEILING} model calls; answer now", is_error=True
        )
    granted = min(given.additional, room)
    return ToolResult(f"granted: {granted} more model calls", effects=(BudgetExtended(granted),))


async def call_tool(context: ToolContext, given: CallToolArguments) -> ToolOutcome:
    """Handles a dispatcher call that names no tool; others are unwrapped before the gate."""
    raise ToolError(
        "call_tool calls other tools: give the name of one that you unlocked, and its arguments"
    )


MCP_PREFIX = '"mcp__'
"""The shape of a server tool's name in an answer."""


@dataclass(frozen=True)
class GetCapabilities:
    """System introspection, and the full definition of tools by name, which unlocks them."""

    agents: AgentRegistry
    skills: SkillLibrary
    to_activate: Callable[[Run, Role], Sequence[SkillManifest]]

    async def __call__(self, context: ControlContext, given: CapabilitiesArguments) -> ToolOutcome:
        run = context.caller
        text, definitions = capabilities_text(
            given,
            Introspection(
                agent=run.agent,
                role=context.person.role,
                run=run.scope.run,
                toolset=run.toolset,
                agents=[
                    agent
                    for agent in self.agents.callable_by(context.person.role, run.agent.name)
                    if run.toolset.objection(agent_tool(agent)) is None
                ],
                skills=self.skills.for_agent(
                    run.agent.name,
                    run.agent.specialist,
                    context.person.role,
                    run.scope.run.shape,
                    run.scope.integrations,
                ),
                active_skills=tuple(run.active_skills),
                manifests=self.to_activate(run, context.person.role),
                integrations=tuple(sorted(run.scope.integrations)),
                offers=run.toolset.offers(),
                calls_left=run.budget.calls_left,
                tool_calls_left=run.budget.tool_calls - run.budget.tool_calls_made,
            ),
        )
        declarations = tuple(
            definition.declaration()
            for definition in definitions
            if not run.toolset.is_callable(definition.name)
        )
        missing = len(set(given.names)) - len(definitions)
        hint = (
            f"{missing} of the names that you asked for are not available here."
            if missing > 0
            else ""
        )
        effects = (Unlocked(declarations, hint),) if declarations else ()
        return ToolResult(text, effects=effects, origin=_origin(text, definitions, run.toolset))


def _origin(text: str, definitions: Sequence[ToolDefinition], toolset: Toolset) -> Origin:
    """Servers' texts about their tools are theirs, in definitions as in one-liners."""
    shown = {one.name: one for one in definitions}
    for listed in toolset.listing() if MCP_PREFIX in text else ():
        if f'"{listed.name}"' in text and (tool := toolset.find(listed.name)) is not None:
            shown[tool.name] = tool
    return described_by(one.described_by for one in shown.values() if one.described_by)


def run_tools(
    get_capabilities: GetCapabilities,
) -> tuple[NativeTool[Any], ...]:
    """The tools of this module."""
    return (
        control_tool("finish_task", FinishArguments, finish_task),
        control_tool("get_capabilities", CapabilitiesArguments, get_capabilities, pure=True),
        control_tool("ask_user_for_clarification", AskArguments, ask_user_for_clarification),
        control_tool("save_fact", SaveFactArguments, save_fact, pure=True),
        control_tool("request_more_turns", MoreTurnsArguments, request_more_turns, pure=True),
        control_tool(CALL_TOOL, CallToolArguments, call_tool),
    )
