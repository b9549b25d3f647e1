"""One end of a control connection: requests, answers and events as lines of JSON.

{"id": 1, "method": "approvals.decide", "params": {...}}      a request; either end may ask
{"id": 1, "result": ...}  or  {"id": 1, "error": {"message": "...", "kind": "SettingsError"}}
{"event": "terminal.live", "params": {...}}                   an event; nobody answers it
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from typing import TypeAlias, cast

from bot.domain.json_types import JsonObject, JsonValue
from bot.errors import BotError, DeliveryError, StorageError

log = logging.getLogger(__name__)

MAX_LINE = 4 * 1024 * 1024
"""The most bytes of one line; a peer that sends more is disconnected."""
MAX_QUEUED = 1024 * 1024
"""Bytes that may wait for a slow reader before events to it are dropped."""
MAX_RUNNING = 64
"""Requests of one peer that are handled at the same time."""

Handler: TypeAlias = "Callable[[Peer, JsonObject], Awaitable[JsonValue]]"
"""Answers one method.

A BotError reaches the other end in its own words, anything else as "internal error".
"""


class Disconnected(StorageError):
    """The other end is gone; whatever was asked may or may not have happened."""


class PeerRefused(BotError):
    """The other end answered with an error, in its own words."""

    def __init__(self, message: str, kind: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.retryable = retryable


class Peer:
    """Speaks over one connection. `run` serves it until the other end goes away."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        handlers: Mapping[str, Handler],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._handlers = handlers
        self._asked: dict[int, asyncio.Future[JsonValue]] = {}
        self._next_id = 0
        self._running: set[asyncio.Task[None]] = set()
        self.closed = asyncio.Event()

    async def run(self) -> None:
        """Read and answer until the connection ends, then fail all pending requests."""
        try:
            async for line in _lines(self._reader):
                self._take(line)
                if len(self._running) >= MAX_RUNNING:
                    await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await self._shut()

    async def call(
        self, method: str, params: JsonObject, *, timeout_s: float | None = None
    ) -> JsonValue:
        """Ask the other end.

        Raises Refused with its words, Disconnected when it is gone, TimeoutError.
        """
        if self.closed.is_set():
            raise Disconnected("the connection has ended")
        self._next_id += 1
        number = self._next_id
        answer: asyncio.Future[JsonValue] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            self._write({"id": number, "method": method, "params": params})
            async with asyncio.timeout(timeout_s):
                return await answer
        finally:
            self._asked.pop(number, None)

    def notify(self, event: str, params: JsonObject, *, droppable: bool = False) -> None:
        """Send an event; a `droppable` one is omitted if the other end reads too slowly."""
        if self.closed.is_set() or (
            droppable and self._writer.transport.get_write_buffer_size() > MAX_QUEUED
        ):
            return
        with contextlib.suppress(BotError):
            self._write({"event": event, "params": params})

    # --- lines ---

    def _write(self, message: JsonObject) -> None:
        line = (
            json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode(
                "utf-8", "replace"
            )
            + b"\n"
        )
        if len(line) > MAX_LINE:
            raise PeerRefused(
                f"that is too large for the control socket ({len(line):,} bytes)", "TooLarge"
            )
        if not self._writer.is_closing():
            self._writer.write(line)

    def _take(self, line: bytes) -> None:
        message = _parse(line)
        if message is None:
            log.warning("bytes=<%d> | a line on the control socket is not a JSON object", len(line))
            self._write(
                {
                    "id": None,
                    "error": {"message": "that line is not a JSON object", "kind": "BadRequest"},
                }
            )
        elif "method" in message:
            self._start(self._answer(message))
        elif "event" in message:
            self._start(self._handle_event(message))
        else:
            self._settle(message)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work, name="control-request")
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _answer(self, request: JsonObject) -> None:
        answer: JsonObject = {"id": request.get("id")}
        try:
            self._write(
                {
                    **answer,
                    "result": await self._result(str(request["method"]), request.get("params")),
                }
            )
        except BotError as error:
            self._write({**answer, "error": _error(error)})
        except Exception:
            log.exception("method=<%s> | a control request failed", request["method"])
            message = "internal error; the log of the running Bellhop says more"
            self._write({**answer, "error": {"message": message, "kind": "Error"}})

    async def _result(self, method: str, params: object) -> JsonValue:
        handler = self._handlers.get(method)
        if handler is None:
            raise PeerRefused(
                f"this Bellhop knows no method {method!r}; is it another version?", "UnknownMethod"
            )
        if params is not None and not isinstance(params, dict):
            raise PeerRefused(f"the params of {method} are no object", "BadRequest")
        return await handler(self, cast("JsonObject", params or {}))

    async def _handle_event(self, message: JsonObject) -> None:
        handler = self._handlers.get(str(message["event"]))
        if handler is None:
            return
        try:
            await handler(self, message.get("params") or {})
        except Exception:
            log.exception(
                "event=<%s> | an event on the control socket could not be handled", message["event"]
            )

    def _settle(self, message: JsonObject) -> None:
        number = message.get("id")
        waiting = self._asked.get(number) if isinstance(number, int) else None
        if waiting is None or waiting.done():
            return
        error = message.get("error")
        if isinstance(error, dict):
            told = cast("JsonObject", error)
            kind, retryable = str(told.get("kind", "Error")), bool(told.get("retryable", False))
            waiting.set_exception(
                PeerRefused(str(told.get("message", "")), kind, retryable=retryable)
            )
        else:
            waiting.set_result(message.get("result"))

    async def _shut(self) -> None:
        self.closed.set()
        for task in list(self._running):
            task.cancel()
        for waiting in self._asked.values():
            if not waiting.done():
                waiting.set_exception(Disconnected("the other end of the control socket is gone"))
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while True:
        try:
            line = await reader.readline()
        except ValueError:
            log.warning(
                "a line on the control socket is longer than %d bytes; hanging up", MAX_LINE
            )
            return
        except OSError:
            return
        if not line:
            return
        yield line


def _parse(line: bytes) -> JsonObject | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("JsonObject", message) if isinstance(message, dict) else None


def _error(error: BotError) -> JsonObject:
    retryable = isinstance(error, DeliveryError | PeerRefused) and error.retryable
    return {"message": str(error), "kind": type(error).__name__, "retryable": retryable}
