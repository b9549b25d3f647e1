"""The control tools that concern one run: its end, its questions, its facts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.agents.arguments import (
    AskArguments,
    CapabilitiesArguments,
    FinishArguments,
    MoreTurnsArguments,
    SaveFactArguments,
)
from bot.agents.control_tools.capabilities import Introspection, capabilities_text
from bot.agents.definitions.registry import AgentRegistry, agent_tool
from bot.agents.loop.calls import ControlContext, control_tool
from bot.agents.loop.run import CEILING, Run
from bot.domain.access import Role
from bot.domain.origins import Origin, described_by
from bot.domain.runs import RunShape
from bot.domain.skills import SkillManifest
from bot.domain.tool_context import NativeTool, ToolContext
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
from bot.domain.tools import ToolDefinition
from bot.errors import ToolError
from bot.llm.unlocking import CALL_TOOL
from bot.memory.facts import checked_key, checked_value
from bot.skills.library import SkillLibrary
from bot.tools.toolset.dispatcher import CallToolArguments
from bot.tools.toolset.toolset import Toolset

_NOBODY_WAITS = frozenset({RunShape.SCHEDULED, RunShape.TRIGGERED})


async def finish_task(context: ToolContext, given: FinishArguments) -> ToolOutcome:
    if given.status == SILENT and (context.depth or context.run.shape not in _NOBODY_WAITS):
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
