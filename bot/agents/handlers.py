"""The hard-coded handlers, intercepted before any routing."""

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from bot.agents.activation import SkillActivation
from bot.agents.arguments import (
    AskArguments,
    CapabilitiesArguments,
    FinishArguments,
    MoreTurnsArguments,
    SaveFactArguments,
    SendArguments,
    arguments_of,
)
from bot.agents.capabilities import Introspection, capabilities_text
from bot.agents.pipeline import ControlHandler
from bot.agents.registry import AgentRegistry, agent_tool
from bot.agents.run import CEILING, Run
from bot.connections.services import Service
from bot.domain.access import Person, Role
from bot.domain.facts import Fact
from bot.domain.messages import Delayed, Delivered, SendRefused
from bot.domain.origins import BELLHOP, Origin, Trust, origin_of
from bot.domain.skills import SkillManifest
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import (
    AskPerson,
    BudgetExtended,
    FactSaved,
    Finish,
    ToolOutcome,
    ToolResult,
    Unlocked,
)
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.domain.turns import Turn
from bot.errors import ToolError
from bot.llm.unlocking import CALL_TOOL
from bot.memory.facts import checked_key, checked_value
from bot.skills.library import SkillLibrary


async def finish_task(run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
    given = arguments_of(FinishArguments, context.call)
    return Finish(given.answer, given.status, given.follow_up)


async def ask_user_for_clarification(run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
    given = arguments_of(AskArguments, context.call)
    if not run.scope.run.shape.person_present or run.depth:
        return ToolResult(
            "nobody is present to answer in this run; decide with what you have, or name what is "
            "missing in your"
            " final answer so that the caller can ask",
            is_error=True,
        )
    return AskPerson(given.question, tuple(given.options))


async def save_fact(run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
    given = arguments_of(SaveFactArguments, context.call)
    fact = Fact(
        key=checked_key(given.key),
        value=checked_value(given.value),
        source_agent=run.agent.name,
        cycle_id=run.cycle.id,
        at=context.now,
        origin=context.origin,
        private=run.context.private,
    )
    return ToolResult(f"saved for this session: {fact.key}", effects=(FactSaved(fact),))


async def request_more_turns(run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
    given = arguments_of(MoreTurnsArguments, context.call)
    room = CEILING - run.budget.calls
    if room <= 0:
        return ToolResult(
            f"refused: this run already has all {CEILING} model calls; answer now", is_error=True
        )
    granted = min(given.additional, room)
    return ToolResult(f"granted: {granted} more model calls", effects=(BudgetExtended(granted),))


async def send(run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
    given = arguments_of(SendArguments, context.call)
    if run.depth:
        return ToolResult("a specialist has no send; put it into your final answer", is_error=True)
    to = (given.to or "").strip() or None
    delivery = await run.callbacks.send(
        given.text, key=step_key(StepKind.SEND, context.call.key), trust=run.origin.trust, to=to
    )
    match delivery:
        case Delivered():
            return ToolResult("sent" if to is None else f"sent to {to}")
        case Delayed(why):
            return ToolResult(
                f"not posted yet: {why}. It is tried again by itself for a day, so don't send it "
                "again; tell the person that it is on its way, not that it was posted"
            )
        case SendRefused(why):
            return ToolResult(f"not posted, and not tried again: {why}", is_error=True)
        case _:
            assert_never(delivery)


async def call_tool(run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
    """Handles a dispatcher call that names no tool; others are unwrapped before the gate."""
    raise ToolError(
        "call_tool calls other tools: give the name of one that you unlocked, and its arguments"
    )


MCP_PREFIX = '"mcp__'
"""The shape of a server tool's name in an answer."""


class GetCapabilities:
    """System introspection, and the full definition of tools by name, which unlocks them."""

    def __init__(
        self,
        agents: AgentRegistry,
        skills: SkillLibrary,
        to_activate: Callable[[Run, Role], Sequence[SkillManifest]],
        connectable: Callable[[Person], Sequence[Service]],
    ) -> None:
        self._agents = agents
        self._skills = skills
        self._skills_to_activate = to_activate
        self._connectable = connectable

    async def __call__(self, run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
        given = arguments_of(CapabilitiesArguments, context.call)
        text, definitions = capabilities_text(
            given,
            Introspection(
                agent=run.agent,
                role=context.person.role,
                run=run.scope.run,
                toolset=run.toolset,
                agents=[
                    agent
                    for agent in self._agents.callable_by(context.person.role, run.agent.name)
                    if run.toolset.objection(agent_tool(agent)) is None
                ],
                skills=self._skills.for_agent(
                    run.agent.name,
                    run.agent.specialist,
                    context.person.role,
                    run.scope.run.shape,
                    run.scope.integrations,
                ),
                active_skills=tuple(run.active_skills),
                manifests=self._skills_to_activate(run, context.person.role),
                integrations=tuple(sorted(run.scope.integrations)),
                could_connect={one.id: one.what for one in self._connectable(context.person)},
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
        return ToolResult(text, effects=effects, origin=_origin(text, definitions))


def _origin(text: str, definitions: Sequence[ToolDefinition]) -> Origin:
    """Servers' texts about their tools are from outside, in definitions as in one-liners."""
    servers = [
        one.implementation.server
        for one in definitions
        if isinstance(one.implementation, McpImplementation)
    ]
    if servers or MCP_PREFIX in text:
        return origin_of(Trust.EXTERNAL, f"mcp:{servers[0]}" if servers else "mcp")
    return BELLHOP


def control_handlers(
    get_capabilities: GetCapabilities, skills: SkillActivation, schedule_task: ControlHandler
) -> Mapping[str, ControlHandler]:
    """By tool name; a markdown tool of the same name never reaches its own implementation."""
    return {
        "finish_task": finish_task,
        "get_capabilities": get_capabilities,
        "ask_user_for_clarification": ask_user_for_clarification,
        "save_fact": save_fact,
        "request_more_turns": request_more_turns,
        "send": send,
        CALL_TOOL: call_tool,
        "activate_skill": skills.activate,
        "deactivate_skill": skills.deactivate,
        "schedule_task": schedule_task,
    }
