"""`Notices` by PostgreSQL's LISTEN and NOTIFY."""

import asyncio
import logging
import re
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

import psycopg
from psycopg import sql

from bot.plugins.postgresql.connecting import CHANNEL, Server, is_lost, reason

log = logging.getLogger(__name__)

_BYTES = 7_900
"""PostgreSQL takes payloads below 8,000 bytes; longer texts go in pieces."""
_WIDEST = 4
"""Bytes of one character."""
_MOST = 5_000
"""The most pieces in the send queue. Further ones are lost, as in any network."""
_BATCH = 200
_PIECE = re.compile(r"([0-9a-f]+):([0-9]{1,4}):(.*)", re.DOTALL)
_LAST_S = 1.0
"""Seconds that a closing process may take to send its last notices."""
_AGAIN_S = (0.05, 0.2, 0.5, 1.0)
_POST = (
    "SELECT pg_notify(one.channel, one.text)"
    " FROM unnest(%s::text[], %s::text[]) AS one (channel, text)"
)


def _is_ending() -> bool:
    """Whether this task was cancelled: then an error took the place of that."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


@dataclass
class _Part:
    """The pieces of one text so far; no piece of another text comes between them."""

    name: tuple[int, str]
    """The sender's connection, and its number of the text."""
    left: int
    pieces: list[str]


class PostgresNotices:
    """Implements `domain.processes.Notices` over two connections of its own.

    A text in pieces is sent in one transaction, so its pieces arrive together.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._heard: defaultdict[str, list[Callable[[str], None]]] = defaultdict(list)
        self._queue: deque[list[tuple[str, str]]] = deque()
        self._waiting = 0
        self._wake = asyncio.Event()
        self._numbers = count(1)
        self._part: _Part | None = None
        self._was_sending = False
        self.listening = asyncio.Event()
        """Set while texts of other processes arrive."""

    def listen(self, channel: str, heard: Callable[[str], None]) -> None:
        self._heard[f"{CHANNEL}{channel}"].append(heard)

    def post(self, channel: str, text: str) -> None:
        pieces = _pieces(f"{next(self._numbers):x}", text)
        if self._waiting + len(pieces) > _MOST:
            log.warning("channel=<%s> | too many notices wait, one is lost", channel)
            return
        self._waiting += len(pieces)
        self._queue.append([(f"{CHANNEL}{channel}", piece) for piece in pieces])
        self._wake.set()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._connected(self._send), name="notices-send")
            group.create_task(self._connected(self._receive), name="notices-receive")

    async def _connected(self, work: Callable[[psycopg.AsyncConnection], Awaitable[None]]) -> None:
        """Do the work over a connection, and reconnect when it is lost."""
        tries = 0
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._server.conninfo, autocommit=True
                ) as connection:
                    tries = 0
                    await work(connection)
            except (psycopg.Error, OSError) as error:
                if not is_lost(error):
                    raise
                if _is_ending():
                    raise asyncio.CancelledError from error
                if not tries:
                    log.warning("error=<%s> | notices to other processes are away", reason(error))
            await asyncio.sleep(_AGAIN_S[min(tries, len(_AGAIN_S) - 1)])
            tries += 1

    async def _send(self, connection: psycopg.AsyncConnection) -> None:
        """Send posted texts. Texts that waited for a connection are old, so they are dropped."""
        await connection.execute("SET synchronous_commit = off")
        if self._was_sending:
            self._queue.clear()
            self._waiting = 0
        self._was_sending = True
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                await self._send_all(connection)
        except asyncio.CancelledError:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LAST_S):
                    await self._send_all(connection)
            raise

    async def _send_all(self, connection: psycopg.AsyncConnection) -> None:
        while self._queue:
            batch = self._batch()
            async with connection.transaction():
                await connection.execute(
                    _POST, ([to for to, _ in batch], [text for _, text in batch])
                )

    def _batch(self) -> list[tuple[str, str]]:
        """The next whole texts."""
        batch: list[tuple[str, str]] = []
        while self._queue and (not batch or len(batch) + len(self._queue[0]) <= _BATCH):
            batch += self._queue.popleft()
        self._waiting -= len(batch)
        return batch

    async def _receive(self, connection: psycopg.AsyncConnection) -> None:
        self._part = None
        for channel in self._heard:
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        self.listening.set()
        try:
            async for notice in connection.notifies():
                text = self._whole(notice.pid, notice.payload)
                for heard in self._heard[notice.channel] if text is not None else ():
                    _tell(heard, text or "")
        finally:
            self.listening.clear()

    def _whole(self, sender: int, payload: str) -> str | None:
        """The text that a piece completes; None while pieces of it are still to come.

        Everybody who may connect can send on our channels, so other payloads are dropped.
        """
        piece = _PIECE.fullmatch(payload)
        if piece is None:
            log.debug("sender=<%d> | sent what is no notice", sender)
            return None
        name, left = (sender, piece[1]), int(piece[2])
        if self._part is None or self._part.name != name:
            self._part = _Part(name, left, [])
        elif left != self._part.left - 1:
            self._part = None
            return None
        self._part.left = left
        self._part.pieces.append(piece[3])
        if left:
            return None
        text, self._part = "".join(self._part.pieces), None
        return text


def _pieces(number: str, text: str) -> list[str]:
    """Each piece says which text it belongs to, and how many follow."""
    size = (_BYTES if text.isascii() else _BYTES // _WIDEST) - 32
    parts = [text[at : at + size] for at in range(0, len(text), size)] or [""]
    return [f"{number}:{len(parts) - at - 1}:{part}" for at, part in enumerate(parts)]


def _tell(heard: Callable[[str], None], text: str) -> None:
    try:
        heard(text)
    except Exception:
        log.exception("a notice of another process could not be taken")
