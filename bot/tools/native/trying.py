"""The check of a call whose only effect is the unit that it returns: it is tried without it."""

from collections.abc import Awaitable, Callable

from bot.domain.tool_context import ArgumentsT, ToolContext
from bot.domain.tool_outcomes import ToolOutcome, ToolResult
from bot.errors import ToolError


def tried(
    run: Callable[[ToolContext, ArgumentsT], Awaitable[ToolOutcome]],
) -> Callable[[ToolContext, ArgumentsT], Awaitable[None]]:
    """A `NativeTool.check` that calls the handler and throws its writes away."""

    async def check(context: ToolContext, given: ArgumentsT) -> None:
        outcome = await run(context, given)
        if isinstance(outcome, ToolResult) and outcome.is_error:
            raise ToolError(outcome.content)

    return check
