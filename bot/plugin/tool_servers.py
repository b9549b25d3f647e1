"""For plug-ins with servers of tools, which are not known at the start, and come and go.

The house treats such tools as it does any other: roles, rules, budgets and the gate count for each
call, and results without an origin count as text from outside.
"""

from collections.abc import Collection, Sequence
from typing import Protocol

from bot.domain.sessions import picture_name
from bot.domain.targets import KIND_MARK, MARK, NAMED, without_marks
from bot.domain.tool_context import AskNow, ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.errors import BotError, ToolError
from bot.tools.running.executor import TimeIsUp, within
from bot.tools.running.output import ERROR
from bot.tools.schemas.validation import schema_problem
from bot.tools.text.patterns import glob_regex, pattern_of


class ToolServers(Protocol):
    """The servers of one plug-in. What keeps them connected is one of `Parts.own_tasks`."""

    @property
    def names(self) -> Collection[str]:
        """All that are set up, connected or not; the same as long as the house stands."""
        ...

    def definitions(self, scope: ToolScope) -> Sequence[ToolDefinition]:
        """The tools that exist now, each with an `McpImplementation` that names its server.

        Asked before each request, so it answers at once, with the same objects while nothing
        changes. The tools of a server that is lost stay for sessions that began before
        (`scope.since`). Tool files win over tools of the same name, and over those that they run.
        """
        ...

    async def call(self, definition: ToolDefinition, context: ToolContext) -> ToolResult:
        """Run a tool of one of them, also one that only a tool file knows. Raises ToolError."""
        ...

    async def settled(self) -> None:
        """Wait until each server was tried once: for `bellhop tools run`."""
        ...


def not_set_up(definition: ToolDefinition, server: str) -> ToolError:
    """What the model hears of a tool whose server this home does not have."""
    return ToolError(
        f"{definition.name} can't run: the MCP server {server} is not set up here. Don't call it "
        "again; go on without it, and tell the person that its operator has to look at `bellhop "
        "doctor`."
    )
