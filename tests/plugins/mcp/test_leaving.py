"""Stopping while a connection ends: its program is stopped to the end."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bot.domain.json_types import JsonObject
from bot.plugins.mcp.remote import Ask, Progress, RemoteResult, RemoteTool, ServerAddress
from bot.plugins.mcp.server import McpServer
from bot.testing.fake_clock import FakeClock, settle


class Silent:
    """A connection to a server without tools."""

    def __init__(self) -> None:
        self.closed, self.changed = asyncio.Event(), asyncio.Event()

    async def list_tools(self) -> tuple[RemoteTool, ...]:
        return ()

    async def call(
        self, tool: str, arguments: JsonObject, progress: Progress, ask: Ask | None = None
    ) -> RemoteResult:
        raise AssertionError(f"nobody calls {tool}")


async def test_who_stops_while_a_connection_ends_waits_for_the_end_of_its_program():
    connection, ended, stopped = Silent(), asyncio.Event(), list[str]()

    @asynccontextmanager
    async def program(target: ServerAddress) -> AsyncGenerator[Silent]:
        yield connection
        await ended.wait()
        stopped.append(target.name)

    async def learn(_: tuple[RemoteTool, ...]) -> None: ...

    server = McpServer(ServerAddress("one"), program, FakeClock(), learn)
    running = asyncio.create_task(server.run())
    await server.settled.wait()
    connection.closed.set()
    await settle()
    running.cancel()
    await settle()
    assert not running.done()
    ended.set()
    await asyncio.wait({running})
    assert stopped == ["one"]
