"""`bellhop tools run`: one tool call as a person's request, through the whole gate."""

import asyncio
import contextlib
import json
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, cast

import typer

from bot.app import App
from bot.assembly.home_settings import load_settings
from bot.chat.terminal.adapter import TerminalChat, terminal_conversation
from bot.chat.terminal.plain import PlainView, one_line
from bot.cli.home_files import contacts_of, person_at_terminal, terminal_sender
from bot.cli.options import NO_HOME, As, Home, RoleOption
from bot.cli.preflight import preflight
from bot.cli.serving import serving
from bot.clock import SystemClock
from bot.domain.approvals import ApprovalState
from bot.domain.json_types import JsonObject
from bot.domain.models import (
    Model,
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
    Usage,
)
from bot.domain.tools import McpImplementation
from bot.errors import BotError, raised_as
from bot.llm.no_model import NoModel
from bot.llm.plain_blocks import result_text
from bot.turns.unsettled_store import count_runnable

WAITS = 3
"""The exit code of a call that waits for a yes."""
CONNECT_PATIENCE_S = 40.0
"""For the first try of each MCP server; the server itself gives up earlier."""
_NEWEST = 200


class WorkWaits(BotError):
    """Other work would be resumed beside the one call; the text says what to do."""


class OneCall:
    """Implements `domain.models.Model`: unlocks the tool, calls it once, and says what it gave."""

    def __init__(self, like: Model, tool: str, arguments: JsonObject) -> None:
        self._like = like
        self._tool = tool
        self._arguments = arguments
        self.failed = False
        """Whether the tool's result is an error."""
        self.ready: Callable[[], Awaitable[None]] | None = None
        """Waits for the server that has the tool."""

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._like.capabilities

    def name(self, size: ModelSize) -> str:
        return self._like.name(size)

    async def close(self) -> None:
        await self._like.close()

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        if self.ready is not None:
            await self.ready()
        asked = [one["name"] for one in _blocks(request) if one["type"] == "tool_use"]
        declared = any(tool.get("name") == self._tool for tool in request.tools)
        if self._tool in asked:
            self.failed = any(block.get("is_error") is True for block in _blocks(request)[-1:])
            return _reply(
                {"type": "text", "text": _last_result(request) or "[no output]"}, "end_turn"
            )
        if not declared and "get_capabilities" not in asked:
            return self._call("get_capabilities", {"names": [self._tool]})
        return self._call(self._tool, self._arguments)

    def _call(self, name: str, arguments: JsonObject) -> ModelReply:
        return _reply(
            {"type": "tool_use", "id": f"run_{name}"[:60], "name": name, "input": arguments},
            "tool_use",
        )


def _reply(block: JsonObject, reason: str) -> ModelReply:
    return ModelReply((block,), reason, Usage(), "one call")


def _blocks(request: ModelRequest) -> list[JsonObject]:
    """The blocks since the person's newest message: this request's calls and results."""
    found: list[JsonObject] = []
    for message in reversed(request.messages):
        blocks = cast("list[JsonObject]", message["content"])
        if message["role"] == "user" and not any(
            block["type"] == "tool_result" for block in blocks
        ):
            if found or any(block["type"] == "text" for block in blocks):
                break
            continue
        found = [*blocks, *found]
    return found


def _last_result(request: ModelRequest) -> str:
    results = [block for block in _blocks(request) if block["type"] == "tool_result"]
    return result_text(results[-1]) if results else ""


async def run(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    arguments: Annotated[
        str, typer.Argument(metavar="JSON", help="Its arguments as a JSON object.")
    ] = "{}",
    person: As = None,
    role: RoleOption = None,
    home: Home = NO_HOME,
) -> None:
    """Call a tool as somebody, without a model.

    The call goes through roles, policy, budgets and approvals.

    Exit code 0: done; 1: an error or a refusal; 2: a wrong command line; 3: it waits for a yes.
    """
    with raised_as(typer.BadParameter, ValueError, about="JSON"):
        given: object = json.loads(arguments)
    if not isinstance(given, dict):
        raise typer.BadParameter('JSON: must be an object such as {"query": "tea"}')
    await call_once(home, name, cast("JsonObject", given), person, role)


async def call_once(
    home: Path, name: str, arguments: JsonObject, person: str | None, role: str | None
) -> None:
    """Call a tool and print what it gave. Raises typer.Exit with 1 or WAITS."""
    preflight(home)
    asker = person_at_terminal(await contacts_of(home), person, role)
    settings = await asyncio.to_thread(load_settings, home)
    words = f"tools run {name} {json.dumps(arguments, ensure_ascii=False)}"
    terminal = TerminalChat(
        PlainView(one_line(words), sys.stdout, sys.stderr),
        SystemClock(),
        person=terminal_sender(person, role),
        conversation=terminal_conversation(f"tools-{person or 'chat'}"),
        folder=Path.cwd(),
        blobs=Path.cwd() / home / "data" / "blobs",
        serial=True,
    )
    call = OneCall(NoModel(), name, arguments)
    async with serving(home, settings, local=terminal, model=call) as app:
        if app.house.tooling.servers.by_name and _may_be_remote(app, name):
            call.ready = partial(_connected, app)
        await _require_nothing_else(app)
        before = {one.ref for one in await app.approvals.newest(_NEWEST)}
        running = asyncio.create_task(app.run(), name="app")
        await _left(terminal, running)
        waiting = [
            one.ref
            for one in await app.approvals.newest(_NEWEST)
            if one.state is ApprovalState.OPEN
            # A line that is typed again is shown the card that it has already.
            if one.ref not in before
            or (one.person, one.tool, one.arguments) == (asker.id, name, arguments)
        ]
    if waiting:
        typer.echo(
            f"It waits for a yes: bellhop approvals approve {waiting[0]}, or reject {waiting[0]}.",
            err=True,
        )
        raise typer.Exit(WAITS)
    if terminal.problem is not None or call.failed:
        raise typer.Exit(1)


async def _require_nothing_else(app: App) -> None:
    """Raises WorkWaits: the one call would stand for the model in every turn that is resumed."""
    if waiting := await count_runnable(app.database, app.clock.now()):
        raise WorkWaits(
            f"what people asked or scheduled is not answered yet (open: {waiting}), and this call "
            "would be the answer; let `bellhop run` or `bellhop chat` answer them first"
        )


def _may_be_remote(app: App, name: str) -> bool:
    """Whether a server may have the tool, so that the call waits for the first connections."""
    found = next(iter(app.house.tooling.catalog.anywhere(name)), None)
    return found is None or isinstance(found.implementation, McpImplementation)


async def _connected(app: App) -> None:
    """Wait until each server was tried once; one that hangs is told of by the call itself."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CONNECT_PATIENCE_S):
            await app.house.tooling.servers.settled()


async def _left(terminal: TerminalChat, running: asyncio.Task[None]) -> None:
    leaving = asyncio.create_task(terminal.left.wait())
    try:
        await asyncio.wait([running, leaving], return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
