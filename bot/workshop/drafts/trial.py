"""Tries the tool of a draft: scripts always in the sandbox; requests are built, not sent."""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.tool_context import ToolContext
from bot.domain.tools import HttpImplementation, ShellImplementation, ToolCall, ToolDefinition
from bot.errors import ToolError
from bot.tools.definitions.http_template import fill
from bot.tools.running.executor import TimeIsUp, within
from bot.tools.running.sandbox import Sandbox
from bot.tools.running.shell import ShellRoute
from bot.tools.schemas.arguments import ArgumentCheck
from bot.tools.settings import ShellSettings
from bot.workshop.drafts.checks import read_tool
from bot.workshop.drafts.draft import Draft

CALL_S = 20.0
"""Longest that one call may take."""
_OUTPUT_CHARS = 4_000


@dataclass(frozen=True)
class TrialResult:
    """What came out of one call."""

    said: str
    is_error: bool


class DraftTrials:
    """Always uses the sandbox, because nobody has reviewed a draft's code yet."""

    def __init__(self, settings: ShellSettings, clock: Clock, home: Path) -> None:
        confined = settings.model_copy(update={"sandbox": "bubblewrap", "readable": ()})
        self._sandbox = Sandbox(confined, home)
        self._route = ShellRoute(confined, _OUTPUT_CHARS, clock, self._sandbox)
        self._clock = clock

    async def run(
        self, draft: Draft, calls: Sequence[JsonObject], context: ToolContext
    ) -> Sequence[TrialResult]:
        """The results of calls with these arguments.

        Raises ToolError when nothing can be run here.
        """
        with tempfile.TemporaryDirectory(prefix="bellhop-draft-") as name:
            folder = Path(name)
            definition = read_tool(draft, folder)
            if draft.script is not None:
                await self._sandbox.probe()
                if reason := self._sandbox.hindrance:
                    raise ToolError(
                        f"a draft's script runs in a sandbox only, and {reason}. Tell the person"
                    )
                await asyncio.to_thread(
                    (folder / draft.script).write_text, draft.files[draft.script]
                )
            return [await self._result(definition, given, context) for given in calls]

    async def _result(
        self, definition: ToolDefinition, arguments: JsonObject, context: ToolContext
    ) -> TrialResult:
        if problem := ArgumentCheck(definition.parameters).problem(arguments):
            return TrialResult(f"{definition.name}: {problem}", True)
        limit = min(definition.timeout_s or CALL_S, CALL_S)
        try:
            match definition.implementation:
                case HttpImplementation() as request:
                    return TrialResult(_rendered(request, definition, arguments), False)
                case ShellImplementation(script):
                    # No network and nothing of the machine, whatever the file asks for: nobody has
                    # allowed that yet.
                    bare = replace(definition, implementation=ShellImplementation(script))
                    call = ToolCall(context.call.id, definition.name, arguments, context.call.key)
                    run = self._route(bare, replace(context, call=call))
                    result = await within(limit, run, self._clock)
                    return TrialResult(result.content, result.is_error)
                case _:
                    return TrialResult("nothing runs it", True)
        except TimeIsUp:
            return TrialResult(f"it did not finish within {limit:g} seconds", True)
        except ToolError as error:
            return TrialResult(str(error), True)


def _rendered(
    request: HttpImplementation, definition: ToolDefinition, arguments: JsonObject
) -> str:
    """The request as it would be sent, with the names of secrets in their place."""
    filled = fill(request, definition.parameters, arguments, lambda name: f"SECRET-{name}")
    headers = [f"{name}: {value}" for name, value in filled.headers.items()]
    body = [filled.body.decode("utf-8", "replace")] if filled.body else []
    return "\n".join([f"{request.method} {filled.url}", *headers, *body])
