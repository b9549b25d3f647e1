"""Delegation: `agent_<name>` and call_agent are two doors to one engine.

The caller gets one final text or one reason; steps, stop reasons and tokens stay in the cycle log.
"""

from dataclasses import dataclass, replace
from typing import Any

from bot.agents.arguments import AgentArguments, CallAgentArguments
from bot.agents.definitions.registry import EVERY_AGENT, AgentRegistry, agent_tool
from bot.agents.delegation.background import Background
from bot.agents.loop.calls import ControlContext, control_tool
from bot.agents.loop.run import Run
from bot.domain.agents import AgentDefinition, Brief, Runner, SpecialistReply
from bot.domain.deeds import Noun, ToolDeed
from bot.domain.origins import Origin
from bot.domain.tool_context import NativeTool
from bot.domain.tool_outcomes import ForAsker, ToolOutcome, ToolResult
from bot.domain.turns import Turn

MAX_DEPTH = 3


@dataclass(frozen=True)
class Dispatch:
    """The tools call_agent and every `agent_<name>`."""

    agents: AgentRegistry
    runner: Runner[Run]
    background: Background
    depth: int = MAX_DEPTH

    def tools(self) -> tuple[NativeTool[Any], ...]:
        return (
            control_tool(
                "call_agent",
                CallAgentArguments,
                self.call_agent,
                deed=ToolDeed(Noun.TASK, "agent"),
                listed=False,
            ),
            control_tool(EVERY_AGENT, AgentArguments, self.agent_tool),
        )

    async def agent_tool(self, context: ControlContext, given: AgentArguments) -> ToolOutcome:
        name = context.call.name.removeprefix("agent_")
        return await self._dispatch(name, Brief(given.instruction, given.context), context)

    async def call_agent(self, context: ControlContext, given: CallAgentArguments) -> ToolOutcome:
        brief = Brief(given.task, given.context)
        if not given.in_background:
            return await self._dispatch(given.agent, brief, context)
        agent = self._found(given.agent, brief, context.caller)
        if isinstance(agent, ToolResult):
            return agent
        return await self.background.begin(agent.name, brief, context)

    async def _dispatch(self, name: str, brief: Brief, context: ControlContext) -> ToolResult:
        turn = context.turn.scope(context.call.key)
        return await self.perform(name, brief, context.caller, turn)

    async def perform(self, name: str, brief: Brief, run: Run, turn: Turn) -> ToolResult:
        """Have an agent do something for a run; `turn` is scoped to that work."""
        delivered = await self.deliver(name, brief, run, turn)
        if isinstance(delivered, ToolResult):
            return delivered
        run.budget.used += delivered.reply.usage
        return result_of(delivered, name, run)

    async def deliver(
        self, name: str, brief: Brief, run: Run, turn: Turn
    ) -> SpecialistReply | ToolResult:
        """An agent's reply and usage, or the reason why this run can't call it."""
        agent = self._found(name, brief, run)
        if isinstance(agent, ToolResult):
            return agent
        return await self.runner.run(agent, brief, run, turn)

    def callable_by(self, run: Run) -> list[AgentDefinition]:
        """The agents that a run may call now."""
        role = run.callbacks.person_now().role
        return [one for one in self.agents.callable_by(role, run.agent.name) if _is_open(one, run)]

    def _found(self, name: str, brief: Brief, run: Run) -> AgentDefinition | ToolResult:
        """The agent, or why this run can't call it."""
        if not brief.instruction:
            return _error(name, "the instruction is blank; say what to do")
        if run.assignment is not None:
            return _error(name, run.assignment.alone)
        agent = self.agents.get(name)
        open_agents = self.callable_by(run)
        if agent is None or not agent.specialist or agent not in open_agents:
            known = ", ".join(item.name for item in open_agents) or "none"
            return _error(name, f"there is no such agent for you; callable agents: {known}")
        if run.scope.depth + 1 > self.depth:
            return _error(
                name, f"delegation is at its deepest level ({self.depth}); do it yourself"
            )
        return agent


def result_of(delivered: SpecialistReply, name: str, caller: Run) -> ToolResult:
    """The text for the caller: one final text, or one reason."""
    reply, origin = (
        delivered.reply,
        Origin(max(caller.origin.trust, delivered.trust), f"agent:{name}"),
    )
    alone = (ForAsker(),) if delivered.for_asker else ()
    found = (*delivered.facts, *alone)
    if reply.success:
        return ToolResult(reply.text, effects=found, origin=origin, private=caller.context.private)
    failed = ToolResult(reply.text, is_error=True) if reply.broken else _error(name, reply.text)
    return replace(failed, effects=found, origin=origin)


def _is_open(agent: AgentDefinition, run: Run) -> bool:
    """Whether no rule closes the agent: a rule about `agent_<name>` also covers call_agent."""
    return run.toolset.objection(agent_tool(agent), run.live_scope()) is None


def _error(name: str, reason: str) -> ToolResult:
    return ToolResult(f"agent_{name}: {reason}", is_error=True)
