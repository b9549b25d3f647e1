"""The three tools of an ant: hand in work, report a discovery, ask for help."""

from typing import Any

from bot.agents.loop.calls import ControlContext, control_tool
from bot.agents.swarm.arguments import DiscoveryArguments, ExecuteArguments, HelpArguments
from bot.agents.swarm.hand_in import hand_in_text, help_text
from bot.domain.origins import Origin
from bot.domain.swarms import AntKind, AntTask, Discovery
from bot.domain.tool_context import NativeTool
from bot.domain.tool_outcomes import Discovered, Finish, ToolOutcome, ToolResult
from bot.errors import ToolError

MOST_DISCOVERIES = 10
"""The limit for one run."""


async def ant_execute_task(context: ControlContext, given: ExecuteArguments) -> ToolOutcome:
    """Ends the try. Raises ToolError while a criterion is missing."""
    task = _task_of(context)
    if task.kind is AntKind.SOLDIER and given.verdict is None:
        raise ToolError("verdict: a soldier says of the work that it tested: pass or fail")
    numbers = [check.criterion for check in given.checks]
    wanted = list(range(1, len(task.criteria) + 1))
    if sorted(numbers) != wanted:
        named = ", ".join(map(str, wanted))
        raise ToolError(
            f"checks: give each of the criteria {named} once; you gave "
            f"{', '.join(map(str, numbers))}"
        )
    return Finish(hand_in_text(given))


async def ant_report_discovery(context: ControlContext, given: DiscoveryArguments) -> ToolOutcome:
    task = _task_of(context)
    if len(context.caller.record.discoveries) >= MOST_DISCOVERIES:
        raise ToolError(
            f"you reported {MOST_DISCOVERIES} discoveries already; put what is left into your "
            "result"
        )
    origin = Origin(context.origin.trust, f"ant {task.id}")
    found = Discovery(task.id, given.text, origin)
    return ToolResult("reported to the queen and to later ants", effects=(Discovered(found),))


async def ant_request_help(context: ControlContext, given: HelpArguments) -> ToolOutcome:
    """Ends the ant: without new knowledge, more tries would end the same way."""
    _task_of(context)
    return Finish(help_text(given.problem), status="unresolved")


def ant_tools() -> tuple[NativeTool[Any], ...]:
    """The tools of this module."""
    return (
        control_tool("ant_execute_task", ExecuteArguments, ant_execute_task),
        control_tool("ant_report_discovery", DiscoveryArguments, ant_report_discovery),
        control_tool("ant_request_help", HelpArguments, ant_request_help),
    )


def _task_of(context: ControlContext) -> AntTask:
    if context.caller.ant is None:
        raise ToolError(
            "this run has no task of a swarm; answer your caller in plain words instead"
        )
    return context.caller.ant
