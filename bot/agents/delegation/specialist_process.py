"""A specialist's process: starts it, exchanges lines, and ends it with its children."""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from bot.agents.delegation.specialist_lines import (
    LINE_BYTES,
    ProgressLine,
    SpecialistFailed,
    SpecialistLine,
    read_line,
)
from bot.clock import cut_off_by
from bot.domain.clock import Clock
from bot.log import redact

log = logging.getLogger(__name__)

MOST_PROGRESS = 200
"""Lines of progress between two answers; more would only keep this process busy."""
_LOGGED_LINES = 200
_LOGGED_CHARS = 500
_END_S = 2.0
"""After its last line: how long a program may take to end before it is killed."""
_CHUNK = 65_536


_T = TypeVar("_T")


@dataclass(frozen=True)
class ProgramStart:
    """The way to start a program."""

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]


class SpecialistProcess:
    """A running program. Each wait for it ends after `patience_s` seconds, progress or not."""

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        process: asyncio.subprocess.Process,
        request: str,
        agent: str,
        clock: Clock,
        patience_s: float,
    ) -> None:
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise RuntimeError("a specialist is started with pipes")
        self._transport = transport
        self._process = process
        self._in, self._out = process.stdin, process.stdout
        self._request = request
        self._agent = agent
        self._clock = clock
        self._patience_s = patience_s
        self._stderr = asyncio.create_task(self._log_stderr(process.stderr), name=f"log of {agent}")
        self.on_progress: Callable[[ProgressLine], None] = lambda _line: None
        self.watchdog_fired = False

    @property
    def group(self) -> int:
        """Its process group, which it leads."""
        return self._process.pid

    async def send(self, line: bytes) -> None:
        """Send a line. If the program has ended, the next read reports it."""
        self._in.write(line)
        with contextlib.suppress(ConnectionError):
            await self._waiting(self._in.drain())

    async def receive(self) -> SpecialistLine:
        """The next line that isn't progress. Raises SpecialistFailed."""
        return await self._waiting(self._next())

    async def last(self) -> None:
        """Wait for the end after a terminal line.

        Raises SpecialistFailed on any further line.
        """
        self._in.close()
        with contextlib.suppress(TimeoutError):
            async with cut_off_by(partial(self._clock.after, _END_S)):
                if await self._out.read(1):
                    raise SpecialistFailed("went on after its terminal response")
                await self._process.wait()

    async def kill(self) -> None:
        """End the program and everything in its process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.group, signal.SIGKILL)
        await asyncio.shield(self._process.wait())
        self._stderr.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._stderr
        # A process that left the group can hold the pipes open; this end lets go of them.
        self._transport.close()

    async def _next(self) -> SpecialistLine:
        for _ in range(MOST_PROGRESS):
            line = await self._line()
            if not isinstance(line, ProgressLine):
                return line
            self.on_progress(line)
        raise SpecialistFailed(f"sent {MOST_PROGRESS} lines of progress and did nothing else")

    async def _line(self) -> SpecialistLine:
        try:
            line = await self._out.readline()
        except ValueError:
            raise SpecialistFailed("sent a line of more than 1 MiB") from None
        if not line.endswith(b"\n"):
            raise SpecialistFailed(f"{await self._how_it_ended()} before a terminal response")
        return read_line(line, self._request)

    async def _how_it_ended(self) -> str:
        status = await self._process.wait()
        return (
            f"ended with exit status {status}" if status >= 0 else f"was ended by signal {-status}"
        )

    async def _waiting(self, work: Awaitable[_T]) -> _T:
        try:
            async with cut_off_by(partial(self._clock.after, self._patience_s)):
                return await work
        except TimeoutError:
            self.watchdog_fired = True
            raise SpecialistFailed(
                f"did nothing for {self._patience_s:g} seconds and was ended"
            ) from None

    async def _log_stderr(self, stream: asyncio.StreamReader) -> None:
        """Its log; lines after the first ones are read and dropped, so that it never blocks."""
        logged = 0
        while chunk := await stream.read(_CHUNK):
            for line in chunk.decode("utf-8", "replace").splitlines():
                if line.strip() and logged < _LOGGED_LINES:
                    log.info(
                        "agent=<%s>, said=<%s> | a specialist's log",
                        self._agent,
                        redact(line)[:_LOGGED_CHARS],
                    )
                    logged += 1


@asynccontextmanager
async def running(
    start: ProgramStart, request: str, agent: str, clock: Clock, patience_s: float
) -> AsyncGenerator[SpecialistProcess]:
    """Start a program, and end it with all of its children when the block ends.

    Raises SpecialistFailed.
    """
    loop = asyncio.get_running_loop()
    try:
        transport, protocol = await loop.subprocess_exec(
            lambda: asyncio.subprocess.SubprocessStreamProtocol(limit=LINE_BYTES, loop=loop),
            *start.command, cwd=start.folder, env=dict(start.environment), start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise SpecialistFailed(f"can't be started: {error.strerror or error}") from error
    process = asyncio.subprocess.Process(transport, protocol, loop)
    program = SpecialistProcess(transport, process, request, agent, clock, patience_s)
    try:
        yield program
    finally:
        await program.kill()
