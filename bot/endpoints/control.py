"""The control socket `data/bellhop.sock`: other processes of the user reach Bellhop by it."""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from bot.domain.json_types import JsonObject, JsonValue
from bot.endpoints.peer import MAX_LINE, Disconnected, Handler, Peer
from bot.errors import StorageError, raised_as

log = logging.getLogger(__name__)

_LONGEST_PATH = 100
"""Socket addresses have at most 108 bytes; a longer path goes through its folder's descriptor."""


class ControlServer:
    """Serves the control socket inside `async with`.

    Only the user who runs Bellhop can connect (0600).

    Enter it while holding the home's lock: a socket file that is already there is then a left-over.
    Entering raises StorageError when it cannot listen; leaving hangs up and removes the socket.
    """

    def __init__(self, path: Path, handlers: Mapping[str, Handler]) -> None:
        self._path = path
        self._handlers = handlers
        self._peers: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        with raised_as(StorageError, OSError, about=f"cannot open the control socket {self._path}"):
            listening = await asyncio.to_thread(_listen, self._path)
        self._server = await asyncio.start_unix_server(
            self._connected, sock=listening, limit=MAX_LINE
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None  # noqa: S101 - entered before
        self._server.close()
        await asyncio.to_thread(self._path.unlink, missing_ok=True)
        # Not wait_closed: from Python 3.12 on it waits for clients, which are only hung up on here.
        for task in self._peers:
            task.cancel()
        await asyncio.gather(*self._peers, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - start_unix_server runs this in a task
        self._peers.add(task)
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await Peer(reader, writer, self._handlers).run()
        finally:
            self._peers.discard(task)


class ControlClient:
    """A connection to a running Bellhop. Made by `connect`."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer

    async def call(
        self, method: str, params: JsonObject | None = None, *, timeout_s: float | None = 30.0
    ) -> JsonValue:
        """Ask the running Bellhop.

        Raises Refused, Disconnected or StorageError with a sentence for the person.
        """
        try:
            return await self.peer.call(method, params or {}, timeout_s=timeout_s)
        except TimeoutError:
            raise StorageError(
                f"the running Bellhop did not answer within {timeout_s:g} s; try again"
            ) from None


@asynccontextmanager
async def connect(
    path: Path, handlers: Mapping[str, Handler] | None = None
) -> AsyncGenerator[ControlClient]:
    """Connect to the Bellhop that runs on this home.

    Raises Disconnected when nobody listens there.
    """
    try:
        with _short(path) as address:
            reader, writer = await asyncio.open_unix_connection(address, limit=MAX_LINE)
    except OSError as error:
        raise Disconnected(
            f"no running Bellhop answers at {path}; start one with `bellhop run`"
        ) from error
    peer = Peer(reader, writer, handlers or {})
    serving = asyncio.create_task(peer.run(), name="control-client")
    try:
        yield ControlClient(peer)
    finally:
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


def _listen(path: Path) -> socket.socket:
    """A socket that replaces a stale one under its name only when it accepts connections."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        with _short(fresh) as address:
            listening.bind(address)
        listening.listen(16)
        listening.setblocking(False)
        fresh.replace(path)
    except OSError:
        listening.close()
        raise
    finally:
        os.umask(before)
    return listening


@contextlib.contextmanager
def _short(path: Path) -> Generator[str]:
    """An address for the socket that fits into the system's limit."""
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
