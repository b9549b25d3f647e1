"""One MCP server and its owner: connects, lists, runs calls, and reconnects."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from bot.plugin.clock import Clock
from bot.plugin.tool_servers import TimeIsUp, within
from bot.plugin.tools import JsonObject, raised_as
from bot.plugins.mcp.remote import (
    Ask,
    Connect,
    ConnectFailed,
    Connection,
    ConnectionLost,
    McpTrouble,
    Progress,
    RemoteAnswer,
    RemoteQuestion,
    RemoteResult,
    RemoteTool,
    ServerAddress,
    SessionGone,
    Unreachable,
)

log = logging.getLogger(__name__)

CONNECT_S = 30.0
"""For connecting and listing; the SDK alone may wait 10 s for a server's version."""
LIST_S = 30.0
FIRST_WAIT_S = 0.2
LONGEST_WAIT_S = 30.0
STEADY_S = 60.0
"""After a connection that lasted this long, the next wait is short again."""


class ServerState(StrEnum):
    STARTING = "starting"
    UP = "up"
    DOWN = "down"


@dataclass(eq=False)
class _Call:
    tool: str
    arguments: JsonObject
    progress: Progress
    ask: Ask | None
    answer: asyncio.Future[RemoteResult]


class McpServer:
    """The owner of one server: only `run` uses its connection; calls come through a queue.

    `on_tools` gets each new list of the server's tools; it must not raise.
    """

    def __init__(
        self,
        target: ServerAddress,
        connect: Connect,
        clock: Clock,
        on_tools: Callable[[tuple[RemoteTool, ...]], Awaitable[None]],
        relist_s: float = 300.0,
    ) -> None:
        self.name = target.name
        self.state = ServerState.STARTING
        self.reason = ""
        """Why there is no connection, for the operator."""
        self.lost_at: datetime = clock.now()
        """The time since which its tools are missing, while they are."""
        self.settled = asyncio.Event()
        """Set once the first try to connect has ended, with or without success."""
        self._target = target
        self._connect = connect
        self._clock = clock
        self._on_tools = on_tools
        self._relist_s = relist_s
        self._listed: tuple[RemoteTool, ...] | None = None
        self._queue: asyncio.Queue[_Call] = asyncio.Queue()
        self._wanted = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()

    async def call(
        self,
        tool: str,
        arguments: JsonObject,
        progress: Progress,
        ask: Ask | None = None,
        *,
        repeatable: bool = False,
    ) -> RemoteResult:
        """Run a tool; waits while the server is being connected. Raises McpTrouble.

        A call is made once more if the server can't have run it, because it had forgotten our
        session, or if it is `repeatable`, its connection was lost, and it has asked its person
        nothing, which they would be asked again.
        """
        questions: list[RemoteQuestion] = []

        async def asking(question: RemoteQuestion) -> RemoteAnswer:
            questions.append(question)
            return await ask(question) if ask is not None else RemoteAnswer("decline")

        try:
            return await self._queued(tool, arguments, progress, ask and asking)
        except (SessionGone, ConnectionLost) as error:
            if isinstance(error, ConnectionLost) and (questions or not repeatable):
                raise
            log.info(
                "server=<%s>, tool=<%s>, reason=<%s> | the call is made once more",
                self.name,
                tool,
                error,
            )
        with raised_as(ConnectionLost, SessionGone):
            return await self._queued(tool, arguments, progress, ask)

    async def _queued(
        self, tool: str, arguments: JsonObject, progress: Progress, ask: Ask | None
    ) -> RemoteResult:
        call = _Call(tool, arguments, progress, ask, asyncio.get_running_loop().create_future())
        self._queue.put_nowait(call)
        self._wanted.set()
        return await call.answer

    # --- the owner ---

    async def run(self) -> None:
        """Keep a connection until cancelled; errors of the connection stay in here."""
        failures = 0
        while True:
            self._wanted.clear()
            started = self._clock.monotonic()
            self.reason = await self._one_connection()
            was_up = self.state is ServerState.UP
            if self.state is not ServerState.DOWN:
                self.state, self.lost_at = ServerState.DOWN, self._clock.now()
            self.settled.set()
            if not was_up:
                self._give_up_on_waiting()
            failures = 0 if self._clock.monotonic() - started > STEADY_S else failures + 1
            wait = min(FIRST_WAIT_S * 2 ** (failures - 1), LONGEST_WAIT_S) if failures else 0.0
            log.log(
                logging.WARNING if was_up or failures == 1 else logging.DEBUG,
                "server=<%s>, wait=<%.1f>, reason=<%s> | no connection to an MCP server; "
                "trying again",
                self.name, wait, self.reason,
            )  # fmt: skip
            # A caller need not wait for the next try.
            await first_of(self._wanted.wait(), self._clock.sleep(wait))

    def _give_up_on_waiting(self) -> None:
        while not self._queue.empty():
            call = self._queue.get_nowait()
            if not call.answer.done():
                call.answer.set_exception(Unreachable(self.reason))

    async def _one_connection(self) -> str:
        """Connect and stay connected; returns the reason for the end.

        The connection has a task of its own, because the SDK may cancel the task that holds one.
        """
        ready, leaving = asyncio.Event(), asyncio.Event()
        holder = asyncio.create_task(self._hold(ready, leaving), name=f"mcp-connection:{self.name}")
        try:
            await first_of(asyncio.wait({holder}), _either(ready, self._clock.sleep(CONNECT_S)))
            if not ready.is_set() and not holder.done():
                return f"it did not answer within {CONNECT_S:g} seconds"
            await asyncio.wait({holder})
            return _reason(holder)
        finally:
            # One that ends already stops its program: cancelled in that, it would leave it running.
            if not leaving.is_set():
                holder.cancel()
            await asyncio.wait({holder})
            if not holder.cancelled():
                holder.exception()  # a cancelled caller asks for no reason
            await self._end_calls()

    async def _hold(self, ready: asyncio.Event, leaving: asyncio.Event) -> None:
        async with self._connect(self._target) as connection:
            try:
                await self._learn(await connection.list_tools())
                self.state, self.reason = ServerState.UP, ""
                self.settled.set()
                ready.set()
                log.info(
                    "server=<%s>, tools=<%d> | connected to an MCP server",
                    self.name,
                    len(self._listed or ()),
                )
                await first_of(
                    connection.closed.wait(),
                    self._take_calls(connection),
                    self._keep_list(connection),
                )
            finally:
                leaving.set()
        raise ConnectFailed("the connection ended")

    async def _keep_list(self, connection: Connection) -> None:
        while True:
            await first_of(connection.changed.wait(), self._clock.sleep(self._relist_s))
            connection.changed.clear()
            await self._learn(await within(LIST_S, connection.list_tools(), self._clock))

    async def _learn(self, tools: tuple[RemoteTool, ...]) -> None:
        if tools != self._listed:
            self._listed = tools
            await self._on_tools(tools)

    # --- calls ---

    async def _take_calls(self, connection: Connection) -> None:
        while True:
            call = await self._queue.get()
            if connection.closed.is_set():  # for the next connection
                self._queue.put_nowait(call)
                return
            if call.answer.done():  # the caller has gone
                continue
            task = asyncio.create_task(
                self._answer(connection, call), name=f"mcp-call:{self.name}.{call.tool}"
            )
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            call.answer.add_done_callback(
                lambda answer, task=task: task.cancel() if answer.cancelled() else None
            )

    async def _answer(self, connection: Connection, call: _Call) -> None:
        try:
            result = await connection.call(call.tool, call.arguments, call.progress, call.ask)
        except asyncio.CancelledError:
            _fail(call, ConnectionLost("the connection ended"))
            raise
        except SessionGone as error:
            connection.closed.set()
            _fail(call, error)
        except Exception as error:  # noqa: BLE001 - whoever called gets it
            _fail(call, error)
        else:
            if not call.answer.done():
                call.answer.set_result(result)

    async def _end_calls(self) -> None:
        """Fail calls that still run after a connection's end; they can't be answered any more."""
        if not self._running:
            return
        for task in self._running:
            task.cancel()
        await asyncio.wait(self._running)


def _fail(call: _Call, error: Exception) -> None:
    if not call.answer.done():
        call.answer.set_exception(error)


def _reason(holder: asyncio.Task[None]) -> str:
    if holder.cancelled():
        return "the connection was torn down"
    match holder.exception():
        case TimeIsUp():
            return f"it did not list its tools within {LIST_S:g} seconds"
        case McpTrouble() as error:
            return str(error)
        case error:
            log.error("a connection to an MCP server failed unexpectedly", exc_info=error)
            return f"{type(error).__name__}: {error}"


async def _either(event: asyncio.Event, other: Coroutine[Any, Any, Any]) -> None:
    await first_of(event.wait(), other)


async def first_of(*work: Coroutine[Any, Any, Any]) -> None:
    """Wait until one is done and raise its error; the others are cancelled and awaited."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for task in done:
        task.result()
