"""The possible effects of a tool call, as far as they decide when it is recorded."""

from bot.agents.loop.run import Run
from bot.domain.tools import NativeImplementation, ToolCall
from bot.tools.native.registry import may_run_again

ALWAYS_AFFORDED = frozenset({"finish_task", "send", "ask_user_for_clarification"})
"""A run reports its results with these; without them it could only stop in the middle."""


def without_effect(call: ToolCall) -> bool:
    """Calls without an effect of their own: an agent's own calls are recorded one by one."""
    return call.name.startswith("agent_") or call.name in ALWAYS_AFFORDED


def once(run: Run, call: ToolCall) -> bool:
    """Whether the intent is recorded before the call, because a crash must not repeat it."""
    definition = run.toolset.find(call.name)
    if definition is None:
        return False
    native = definition.implementation
    handler = run.toolset.handler(native.name) if isinstance(native, NativeImplementation) else None
    return not may_run_again(definition, handler, call.arguments)


def pure(run: Run, call: ToolCall) -> bool:
    """Whether the call affects only its result and its unit, and asks nobody outside."""
    definition = run.toolset.find(call.name)
    if definition is None or not isinstance(definition.implementation, NativeImplementation):
        return False
    handler = run.toolset.handler(definition.implementation.name)
    return definition.risk is None and handler is not None and handler.pure
