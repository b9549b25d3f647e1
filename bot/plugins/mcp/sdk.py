"""Connections to MCP servers by the official SDK: the only module that imports it.

Import it late, it is large.
"""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import mcp_types
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.session import ClientRequestContext
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from bot.plugin.databases import __version__
from bot.plugin.tools import JsonObject
from bot.plugins.mcp.remote import (
    Ask,
    ConnectFailed,
    ConnectionLost,
    McpTrouble,
    Progress,
    RemoteQuestion,
    RemoteResult,
    RemoteTool,
    ServerAddress,
    ServerRefused,
    SessionGone,
)

log = logging.getLogger(__name__)

MAX_PAGES = 100
_LAST_WORDS = 2_000

Incoming = SessionMessage | Exception


@asynccontextmanager
async def connect(target: ServerAddress) -> AsyncGenerator["SdkConnection"]:
    """Open a connection.

    Raises ConnectFailed, also when it breaks in a way that takes the whole connection down.

    The SDK may cancel the task that holds the connection, so hold it in a task of its own.
    """
    words = LastWords(target.name)
    try:
        async with AsyncExitStack() as stack:
            connection = SdkConnection(target)
            streams = (
                stack.enter_async_context(_program(target, words))
                if target.command is not None
                else stack.enter_async_context(_address(target, connection))
            )
            read, write = await streams
            client = Client(
                _Streams(Watched(read, connection.closed), write),
                mode="legacy" if target.legacy else "auto",
                cache=None,
                client_info=mcp_types.Implementation(name="bellhop", version=__version__),
                message_handler=connection.on_message,
                elicitation_callback=connection.on_question,
            )
            connection.client = await stack.enter_async_context(client)
            stack.push_async_callback(connection.stop_listening)
            yield connection
    except McpTrouble:
        raise
    except (Exception, asyncio.CancelledError) as error:
        if _asked_to_stop(error):
            raise
        raise ConnectFailed(reason_of(error, words.text)) from error


def _asked_to_stop(error: BaseException) -> bool:
    """Whether our own task is being cancelled, and not only a scope of the SDK's."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


def reason_of(error: BaseException, last_words: str = "") -> str:
    """One line for the operator: the innermost causes, and the program's last stderr line."""
    causes = list(dict.fromkeys(_leaves(error)))
    text = "; ".join(causes[:3])
    return f"{text}; it said: {' '.join(last_words.split())[-500:]}" if last_words.strip() else text


def _leaves(error: BaseException) -> list[str]:
    if isinstance(error, BaseExceptionGroup):
        return [text for inner in error.exceptions for text in _leaves(inner)]  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
    return [
        str(error)
        if isinstance(error, MCPError | OSError)
        else f"{type(error).__name__}: {error}".rstrip(": ")
    ]


# --- transports ---


@asynccontextmanager
async def _program(
    target: ServerAddress, words: "LastWords"
) -> AsyncGenerator[tuple[ReadStream[Incoming], WriteStream[SessionMessage]]]:
    parameters = StdioServerParameters(
        command=target.command or "", args=list(target.args), env=dict(target.env)
    )
    async with words.listening() as error_log, stdio_client(parameters, error_log) as streams:
        yield streams


@asynccontextmanager
async def _address(
    target: ServerAddress, connection: "SdkConnection"
) -> AsyncGenerator[tuple[ReadStream[Incoming], WriteStream[SessionMessage]]]:
    async with create_mcp_http_client(headers=dict(target.headers)) as client:
        client.event_hooks = {"response": [connection.on_response]}
        async with streamable_http_client(target.url or "", http_client=client) as streams:
            yield streams


class _Streams:
    """A transport whose streams are open already."""

    def __init__(self, read: "Watched", write: WriteStream[SessionMessage]) -> None:
        self._streams = (read, write)

    async def __aenter__(self) -> tuple[ReadStream[Incoming], WriteStream[SessionMessage]]:
        return self._streams

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Whoever opened the streams closes them."""


class Watched:
    """A stream that reports its end: the client would notice at its next request only."""

    def __init__(self, stream: ReadStream[Incoming], ended: asyncio.Event) -> None:
        self._stream = stream
        self._ended = ended

    @property
    def last_context(self) -> Any:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Incoming:
        return await self._stream.receive()

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> ReadStream[Incoming]:
        return self

    async def __anext__(self) -> Incoming:
        try:
            return await self._stream.__anext__()
        except BaseException:
            self._ended.set()
            raise

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        return await self._stream.__aexit__(exc_type, exc_val, exc_tb)


class LastWords(asyncio.Protocol):
    """A program's stderr: its end is kept, and each line is logged at DEBUG."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._kept = b""

    @property
    def text(self) -> str:
        return self._kept.decode("utf-8", "replace")

    def data_received(self, data: bytes) -> None:
        self._kept = (self._kept + data)[-_LAST_WORDS:]
        for line in data.decode("utf-8", "replace").splitlines():
            log.debug("server=<%s> | %s", self._server, line)

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator[Any]:
        """A file for the program to write to, read here as long as the block runs."""
        reading, writing = os.pipe()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: self, os.fdopen(reading, "rb", buffering=0)
        )
        try:
            with os.fdopen(writing, "w") as file:
                yield file
        finally:
            # What was written last is in the pipe already, but perhaps not read yet.
            await asyncio.sleep(0)
            transport.close()


# --- a connection ---


@dataclass(eq=False)
class _Running:
    """A running request."""

    status: int = 0
    """The HTTP status of the answer to this very request, when it was an error."""
    questions: list[str] = field(default_factory=list[str])
    """The server's questions meanwhile that nobody was asked."""
    is_call: bool = False
    ask: Ask | None = None


_RUNNING: ContextVar[_Running | None] = ContextVar("_RUNNING", default=None)
"""The SDK sends a request in its caller's context, so an HTTP answer finds its request here."""


class SdkConnection:
    """Implements `remote.Connection`."""

    client: Client

    def __init__(self, target: ServerAddress) -> None:
        self.closed = asyncio.Event()
        self.changed = asyncio.Event()
        self._target = target
        self._running: list[_Running] = []
        self._listening: asyncio.Task[None] | None = None

    async def list_tools(self) -> tuple[RemoteTool, ...]:
        self._listen()
        found: list[RemoteTool] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await self._page(cursor)
            found += [_tool(tool) for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                return tuple(found)
        log.warning((
            "server=<%s>, pages=<%d> | its list of tools does not end, so the rest is left out"
        ),
                    self._target.name, MAX_PAGES)  # fmt: skip
        return tuple(found)

    async def _page(self, cursor: str | None) -> mcp_types.ListToolsResult:
        with self._request() as running:
            try:
                return await self.client.list_tools(cursor=cursor)
            except MCPError as error:
                raise self._trouble(error, running) from error
            except ValidationError as error:
                raise ServerRefused("its list of tools does not follow the protocol") from error

    async def call(
        self, tool: str, arguments: JsonObject, progress: Progress, ask: Ask | None = None
    ) -> RemoteResult:
        line = progress

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            line(_progress_line(progress, total, message))

        with self._request() as running:
            running.is_call, running.ask = True, ask
            try:
                result = await self.client.call_tool(tool, arguments, progress_callback=on_progress)
            except MCPError as error:
                raise self._trouble(error, running) from error
            except (ValidationError, RuntimeError, ValueError) as error:
                # A result that doesn't fit what the tool promised; the call has run.
                raise ServerRefused(
                    f"its answer does not follow the protocol: {str(error)[:300]}"
                ) from error
        content = tuple(
            block.model_dump(mode="json", by_alias=True, exclude_none=True)
            for block in result.content
        )
        return RemoteResult(
            content, result.structured_content, result.is_error, tuple(running.questions)
        )

    @contextmanager
    def _request(self) -> Generator[_Running]:
        running = _Running()
        self._running.append(running)
        token = _RUNNING.set(running)
        try:
            yield running
        finally:
            _RUNNING.reset(token)
            self._running.remove(running)

    def _trouble(self, error: MCPError, running: _Running) -> McpTrouble:
        """What a protocol error means for the request.

        An address that has forgotten our session says so with an HTTP status, in words that differ
        from server to server. -32000 by itself means that the answer can't come any more, whatever
        has happened to the request.
        """
        if running.status == 404 or (running.status == 400 and _about_the_session(error)):
            return SessionGone(error.message)
        if error.code == mcp_types.CONNECTION_CLOSED or running.status >= 500:
            return ConnectionLost(error.message)
        return ServerRefused(error.message)

    # --- notices of the server ---

    async def on_response(self, response: Any) -> None:
        """Keeps the status of an answer that is an error, which the SDK does not hand on."""
        running = _RUNNING.get()
        if (
            running is not None
            and response.request.method == "POST"
            and response.status_code >= 400
        ):
            running.status = response.status_code

    async def on_message(self, message: Any) -> None:
        if isinstance(message, mcp_types.ToolListChangedNotification):
            self.changed.set()

    async def on_question(
        self, context: ClientRequestContext, params: mcp_types.ElicitRequestParams
    ) -> mcp_types.ElicitResult:
        """Hand it to the one call that runs.

        The protocol doesn't say which call a question belongs to, so with several it is declined,
        lest somebody else is asked; their results tell the model what was asked.
        """
        calls = [running for running in self._running if running.is_call]
        if len(calls) == 1 and (ask := calls[0].ask) is not None:
            answer = await ask(_question(params))
            content = (
                answer.content if answer.action == "accept" and params.mode == "form" else None
            )
            return mcp_types.ElicitResult(action=answer.action, content=content)
        for running in calls:
            running.questions.append(params.message)
        return mcp_types.ElicitResult(action="decline")

    def _listen(self) -> None:
        """Newer servers report changes to listeners only; a lost stream is opened again."""
        if self._listening is None or self._listening.done():
            self._listening = asyncio.create_task(
                self._hear(), name=f"mcp-listen:{self._target.name}"
            )

    async def _hear(self) -> None:
        with suppress(ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
            async with self.client.listen(tools_list_changed=True) as events:
                async for _ in events:
                    self.changed.set()

    async def stop_listening(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait({self._listening})


def _question(params: mcp_types.ElicitRequestParams) -> RemoteQuestion:
    if isinstance(params, mcp_types.ElicitRequestURLParams):
        return RemoteQuestion(params.message, url=params.url)
    return RemoteQuestion(params.message, dict(params.requested_schema))


def _about_the_session(error: MCPError) -> bool:
    return error.code == mcp_types.INTERNAL_ERROR or "session" in error.message.lower()


def _tool(tool: mcp_types.Tool) -> RemoteTool:
    title = tool.title or (tool.annotations.title if tool.annotations else None)
    hints = tool.annotations or mcp_types.ToolAnnotations()
    return RemoteTool(
        tool.name,
        tool.description or title or "",
        tool.input_schema,
        reads_only=hints.read_only_hint is True,
        idempotent=hints.idempotent_hint is True,
    )


def _progress_line(done: float, total: float | None, message: str | None) -> str:
    amount = f"{done:g}" if total is None else f"{done:g} of {total:g}"
    return f"{amount}: {' '.join(message.split())[:200]}" if message else amount
