"""Control tools: native tools whose calls may use the run and the turn that they belong to."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from bot.agents.loop.run import Run
from bot.domain.chat import Status
from bot.domain.tool_context import ArgumentsT, NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolOutcome
from bot.domain.tools import ToolCall
from bot.domain.turns import Turn


@dataclass(frozen=True, kw_only=True)
class ControlContext(ToolContext):
    """A call's context with its run and turn; every call of the loop has one."""

    caller: Run
    turn: Turn


def control_tool(
    name: str,
    arguments: type[ArgumentsT],
    handler: Callable[[ControlContext, ArgumentsT], Awaitable[ToolOutcome]],
    *,
    pure: bool = False,
) -> NativeTool[ArgumentsT]:
    """A native tool of the loop itself; nothing else can serve its name."""

    async def run(context: ToolContext, given: ArgumentsT) -> ToolOutcome:
        if not isinstance(context, ControlContext):
            raise TypeError(f"{name} was called outside of a run")
        return await handler(context, given)

    return NativeTool(name, arguments, run, pure=pure, reserved=True, in_turn=True)


def call_context(run: Run, call: ToolCall, now: datetime, turn: Turn) -> ControlContext:
    """The context of one call of a run."""
    own, ask_now = run.context, run.callbacks.ask_now
    return ControlContext(
        person=run.callbacks.person_now(),
        agent=run.agent.name,
        run=run.scope.run,
        session_id=own.session_id,
        conversation=own.conversation,
        location=run.scope.location,
        private=own.private,
        cycle_id=run.cycle.id,
        call=call,
        tools=run.toolset,
        now=now,
        timezone=own.timezone,
        send=run.callbacks.send,
        progress=lambda text: run.callbacks.live(Status(text)),
        facts=run.facts,
        agent_email=run.scope.agent_email,
        depth=run.depth,
        origin=run.origin,
        confinements=run.scope.confinements,
        envelope=own.envelope,
        connected=run.scope.integrations,
        own_words=run.provenance,
        ask_now=ask_now(turn, call) if ask_now is not None else None,
        caller=run,
        turn=turn,
    )
