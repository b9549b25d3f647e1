"""Real MCP servers, on stdio and loopback: calls, failures, restarts, changes."""

import asyncio
import logging
import os
import re
import signal
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.clock import SystemClock
from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.origins import Trust
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolOutcome, ToolResult
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.errors import ToolError
from bot.plugins.mcp.fleet import McpServers
from bot.plugins.mcp.server import ServerState
from bot.testing.contexts import NoTools
from bot.testing.mcp_house import (
    LoopbackServer,
    a_program,
    loopback_server,
    running_servers,
    tools_of,
)
from bot.testing.mcp_server import PAGED, PIXEL
from bot.testing.own_tables import open_with_own_tables
from bot.testing.tools import a_call, a_context, a_scope
from bot.testing.waiting import until
from bot.tools.native.registry import NativeTools
from bot.tools.running.executor import ToolExecutor

WAYS = ["stdio", "stdio-legacy", "http", "http-legacy"]


@pytest.fixture(autouse=True)
async def bounded() -> AsyncGenerator[None]:
    """No test here waits longer than this, whatever happens."""
    async with asyncio.timeout(60):
        yield


@dataclass
class Scene:
    """A fleet with one server `one`, reached in one of the ways."""

    fleet: McpServers
    loopback: LoopbackServer | None

    async def call(
        self, tool: str, progress: Callable[[str], None] = lambda _: None, **arguments: Any
    ) -> ToolResult:
        definition = self.tool(tool)
        return await self.fleet.call(definition, context_of(definition, progress, arguments))

    def tool(self, tool: str) -> ToolDefinition:
        found = self.fleet.definitions(
            a_scope(Role.PARTNER, since=datetime(2000, 1, 1, tzinfo=UTC))
        )
        return next(one for one in found if one.implementation == McpImplementation("one", tool))

    @property
    def state(self) -> ServerState:
        return self.fleet.status()[0].state

    async def waiting_call(self) -> tuple[asyncio.Task[ToolResult], int]:
        """A call that runs now and will not end, and the process that runs it."""
        lines: asyncio.Queue[str] = asyncio.Queue()
        task = asyncio.create_task(self.call("wait", lines.put_nowait))
        line = await lines.get()
        match = re.fullmatch(r"mcp__one__wait 1 of 2: process (\d+)", line)
        assert match, line
        return task, int(match[1])

    async def kill(self, process: int) -> None:
        if self.loopback is not None:
            await self.loopback.kill()
        else:
            os.kill(process, signal.SIGKILL)

    async def start(self) -> None:
        if self.loopback is not None:
            await self.loopback.start()


def context_of(
    definition: ToolDefinition, progress: Callable[[str], None], arguments: JsonObject
) -> ToolContext:
    return replace(a_context(NoTools(), a_call(definition.name, **arguments)), progress=progress)


@asynccontextmanager
async def a_scene(way: str, **more: Any) -> AsyncGenerator[Scene]:
    if way.endswith("legacy"):
        more["protocol"] = "legacy"
    if way.startswith("stdio"):
        async with running_servers({"one": a_program(**more)}) as fleet:
            yield Scene(fleet, None)
    else:
        async with (
            loopback_server() as server,
            running_servers({"one": {"url": server.url, **more}}) as fleet,
        ):
            yield Scene(fleet, server)


# --- listing and calling ---


@pytest.mark.parametrize("way", WAYS)
async def test_tools_are_listed_and_run_and_their_errors_are_the_models_to_see(way: str):
    async with a_scene(way) as scene:
        assert {"mcp__one__add", "mcp__one__boom"} <= tools_of(scene.fleet).keys()
        result = await scene.call("add", a=1, b=2)
        assert (result.content, result.is_error, result.origin.trust) == (
            "3",
            False,
            Trust.EXTERNAL,
        )
        failed = await scene.call("boom")
        assert failed.is_error
        assert failed.content.startswith("ERROR: ")
        assert "the kettle is dry" in failed.content
        wrong = await scene.call("add", a="one")
        assert wrong.is_error


@pytest.mark.parametrize("way", ["stdio", "http-legacy"])
async def test_every_kind_of_content_arrives(way: str):
    async with a_scene(way) as scene:
        result = await scene.call("show")
    assert [block["source"]["data"] for block in result.blocks] == [PIXEL]
    for words in (
        "plain words",
        "audio/wav",
        "https://example.org/manual",
        "a note",
        "application/zip",
        "21.5",
    ):
        assert words in result.content


async def test_all_pages_of_a_list_are_read():
    async with running_servers({"one": a_program("--pages")}) as fleet:
        assert [*tools_of(fleet)] == [f"mcp__one__{name}" for name in PAGED]


@pytest.mark.parametrize("way", WAYS)
async def test_a_server_that_tells_of_a_change_is_listed_again(way: str):
    async with a_scene(way) as scene:
        assert "mcp__one__grown" not in tools_of(scene.fleet)
        await scene.call("grow")
        await until(lambda: "mcp__one__grown" in tools_of(scene.fleet))
        assert (await scene.call("grown")).content == "hello from later"


async def test_a_question_of_the_server_is_declined_and_told_to_the_model():
    async with a_scene("stdio-legacy") as scene:
        result = await scene.call("ask")
    assert "the answer was decline" in result.content
    assert "'Which colour?'" in result.content


async def test_calls_run_side_by_side():
    async with a_scene("stdio") as scene:
        waiting, _ = await scene.waiting_call()
        results = await asyncio.gather(*(scene.call("add", a=number, b=1) for number in range(20)))
        assert [result.content for result in results] == [str(number + 1) for number in range(20)]
        waiting.cancel()


async def test_a_secret_reaches_the_program_and_no_log(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG, "bot")
    server = a_program(env={"MCP_TEST_KEY": "${A_KEY}"})
    async with running_servers({"one": server}, secrets={"A_KEY": "sesame-sesame"}) as fleet:
        assert (await Scene(fleet, None).call("files.read")).content == "secret=sesame-sesame"
    assert "sesame" not in caplog.text


async def test_a_missing_secret_is_named_and_nothing_is_started():
    server = a_program(env={"MCP_TEST_KEY": "${A_KEY}"})
    async with running_servers({"one": server}) as fleet:
        (status,) = fleet.status()
        assert (status.state, tools_of(fleet)) == (ServerState.DOWN, {})
        assert "mcp.servers.one.env.MCP_TEST_KEY needs A_KEY" in status.reason


# --- time, cancellation, restarts ---


async def execute(fleet: McpServers, definition: ToolDefinition) -> ToolOutcome:
    natives = NativeTools(routes={McpImplementation: fleet.call})
    executor = ToolExecutor(natives, SystemClock())
    return await executor.execute(definition, context_of(definition, lambda _: None, {}))


@pytest.mark.parametrize("way", WAYS)
async def test_a_timeout_leaves_the_server_usable(way: str):
    async with a_scene(way, timeout_s=0.3) as scene:
        outcome = await execute(scene.fleet, scene.tool("wait"))
        assert isinstance(outcome, ToolResult)
        assert "did not finish within 0.3 seconds" in outcome.content
        assert (await scene.call("add", a=1, b=2)).content == "3"
        assert scene.state is ServerState.UP


@pytest.mark.parametrize("way", WAYS)
async def test_a_cancelled_call_leaves_the_server_usable(way: str):
    async with a_scene(way) as scene:
        waiting, _ = await scene.waiting_call()
        waiting.cancel()
        await asyncio.wait({waiting})
        assert waiting.cancelled()
        assert (await scene.call("add", a=1, b=2)).content == "3"


async def test_tools_marked_read_only_may_run_again():
    async with a_scene("stdio") as scene:
        assert scene.tool("add").idempotent
        assert not scene.tool("boom").idempotent


@pytest.mark.parametrize("way", WAYS)
async def test_a_server_killed_during_a_call_is_not_called_again_blindly(way: str):
    async with a_scene(way) as scene:
        waiting, process = await scene.waiting_call()
        await scene.kill(process)
        with pytest.raises(ToolError, match=r"is unknown: don't repeat it blindly"):
            await waiting
        await scene.start()
        assert (await scene.call("add", a=1, b=2)).content == "3"


@pytest.mark.parametrize("way", ["http", "http-legacy"])
async def test_a_server_restarted_while_idle_is_called_as_before(
    way: str,
):
    async with a_scene(way) as scene:
        await scene.kill(0)
        await scene.start()
        assert (await scene.call("add", a=1, b=2)).content == "3"


async def test_a_program_that_ends_while_idle_is_started_again():
    async with a_scene("stdio") as scene:
        waiting, process = await scene.waiting_call()
        waiting.cancel()
        os.kill(process, signal.SIGKILL)
        await until(lambda: scene.state is not ServerState.UP)
        assert (await scene.call("add", a=1, b=2)).content == "3"


async def test_a_dead_server_troubles_no_other_and_its_calls_say_what_to_do():
    servers = {
        "one": a_program(),
        "gone": {"command": "/no/such/program"},
        "silly": {"command": "/bin/sh", "args": ["-c", "echo out of tea >&2; exit 3"]},
        "far": {"url": "http://127.0.0.1:9/mcp"},
    }
    async with running_servers(servers) as fleet:
        reasons = {status.name: status.reason for status in fleet.status()}
        assert "No such file" in reasons["gone"]
        assert "out of tea" in reasons["silly"]
        assert reasons["far"]
        assert (await Scene(fleet, None).call("add", a=1, b=2)).content == "3"
        for name in ("gone", "silly", "far"):
            lost = ToolDefinition(
                "x", "X.", {"type": "object"}, "shared", McpImplementation(name, "x")
            )
            with pytest.raises(ToolError, match="did not run: the MCP server"):
                await fleet.call(lost, context_of(lost, lambda _: None, {}))


async def test_a_lost_servers_tools_stay_for_older_sessions_only(
    tmp_path: Path,
):
    database = await open_with_own_tables(tmp_path / "bellhop.db")
    try:
        async with running_servers({"one": a_program()}, database=database) as fleet:
            names = {*tools_of(fleet)}
        async with running_servers(
            {"one": {"command": "/no/such/program"}}, database=database
        ) as fleet:
            assert tools_of(fleet) == {}
            old = a_scope(Role.PARTNER, since=SystemClock().now() - timedelta(hours=1))
            assert {tool.name for tool in fleet.definitions(old)} == names
    finally:
        await database.close()
