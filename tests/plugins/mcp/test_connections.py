"""Connections that end: programs are stopped to the end, and calls are repeated where they may."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from bot.domain.json_types import JsonObject
from bot.plugins.mcp.remote import (
    Ask,
    ConnectionLost,
    Progress,
    RemoteAnswer,
    RemoteQuestion,
    RemoteResult,
    RemoteTool,
    ServerAddress,
)
from bot.plugins.mcp.server import McpServer
from bot.testing.fake_clock import FakeClock, settle


class Losing:
    """A connection to a server without tools, lost in each of its first `losses` calls."""

    def __init__(self, losses: int = 0, asks: RemoteQuestion | None = None) -> None:
        self.closed, self.changed = asyncio.Event(), asyncio.Event()
        self.losses, self.calls, self.asks = losses, 0, asks

    async def list_tools(self) -> tuple[RemoteTool, ...]:
        return ()

    async def call(
        self, tool: str, arguments: JsonObject, progress: Progress, ask: Ask | None = None
    ) -> RemoteResult:
        self.calls += 1
        if ask is not None and self.asks is not None:
            await ask(self.asks)
        if self.calls <= self.losses:
            raise ConnectionLost("connection reset")
        return RemoteResult(({"type": "text", "text": tool},))


async def learn(_: tuple[RemoteTool, ...]) -> None: ...


@asynccontextmanager
async def a_server(connection: Losing) -> AsyncGenerator[McpServer]:
    @asynccontextmanager
    async def connect(_target: ServerAddress) -> AsyncGenerator[Losing]:
        yield connection

    server = McpServer(ServerAddress("one"), connect, FakeClock(), learn)
    running = asyncio.create_task(server.run())
    try:
        yield server
    finally:
        running.cancel()
        await asyncio.wait({running})


async def test_who_stops_while_a_connection_ends_waits_for_the_end_of_its_program():
    connection, ended, stopped = Losing(), asyncio.Event(), list[str]()

    @asynccontextmanager
    async def program(target: ServerAddress) -> AsyncGenerator[Losing]:
        yield connection
        await ended.wait()
        stopped.append(target.name)

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


async def test_a_repeatable_call_whose_connection_is_lost_is_made_once_more():
    connection = Losing(losses=1)
    async with a_server(connection) as server:
        result = await server.call("add", {}, lambda _: None, repeatable=True)
    assert (result.content, connection.calls) == (({"type": "text", "text": "add"},), 2)


async def test_a_call_that_asked_its_person_is_not_made_once_more():
    connection = Losing(losses=1, asks=RemoteQuestion("Which?"))

    async def answer(_question: RemoteQuestion) -> RemoteAnswer:
        return RemoteAnswer("accept")

    async with a_server(connection) as server:
        with pytest.raises(ConnectionLost):
            await server.call("add", {}, lambda _: None, answer, repeatable=True)
    assert connection.calls == 1


@pytest.mark.parametrize(("repeatable", "calls"), [(True, 2), (False, 1)])
async def test_a_call_is_made_at_most_twice_and_once_if_its_effect_counts(
    repeatable: bool, calls: int
):
    connection = Losing(losses=3)
    async with a_server(connection) as server:
        with pytest.raises(ConnectionLost):
            await server.call("add", {}, lambda _: None, repeatable=repeatable)
    assert connection.calls == calls
