"""Runs a program of the operator's on some bytes: without secrets, in limits, never by a shell."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

_KEPT = ("HOME", "LANG", "LC_ALL", "PATH", "TMPDIR")
"""Of our environment. The rest may hold secrets."""
_SAID_BYTES = 64 * 1024
_FILE_BYTES = 512 * 1024 * 1024
_UNWIND_S = 5.0


@dataclass(frozen=True)
class ProgramLimits:
    """Of one run. `memory` in bytes, 0: none."""

    wall_s: float
    memory: int
    output: int


@dataclass(frozen=True)
class ProgramEnd:
    """How it ended. `said`: the end of what it wrote on standard error."""

    code: int | None
    """None: it took too long, or wrote too much."""
    output: bytes
    said: str


async def run_program(
    argv: Sequence[str], request: bytes, folder: str, limits: ProgramLimits
) -> ProgramEnd:
    """Run it in a folder. It and what it started end with this call."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-B", "-m", "bot.web.limited_program",
        str(limits.memory), str(_FILE_BYTES), "--", *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={name: value for name in _KEPT if (value := os.environ.get(name))},
        cwd=folder,
        start_new_session=True,
    )  # fmt: skip
    try:
        async with asyncio.timeout(limits.wall_s):
            _, output, said = await asyncio.gather(
                _feed(process.stdin, request),
                _read(process, limits.output),
                _tail(process.stderr),
            )
            if output is None:
                return ProgramEnd(None, b"", f"it wrote more than {limits.output:,} bytes")
            return ProgramEnd(await process.wait(), output, said)
    except TimeoutError:
        return ProgramEnd(None, b"", f"it took more than {limits.wall_s:g} seconds")
    finally:
        _kill(process)
        await _ended(process)


def _kill(process: asyncio.subprocess.Process) -> None:
    """End it and its group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait for a killed process, and read what is left: a full pipe would never close.

    Something that it started may have left its group, and may hold the pipe: not for ever.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(_UNWIND_S):
            for pipe in (process.stdout, process.stderr):
                while pipe is not None and await pipe.read(64 * 1024):
                    continue
            await process.wait()


async def _feed(stdin: asyncio.StreamWriter | None, request: bytes) -> None:
    if stdin is None:
        raise TypeError("the program has no standard input")
    with suppress(ConnectionError):  # it ended before it had read everything
        stdin.write(request)
        await stdin.drain()
    stdin.close()


async def _read(process: asyncio.subprocess.Process, most: int) -> bytes | None:
    """Everything that it writes; None if that is too much, which ends it."""
    output = bytearray()
    while process.stdout is not None and (piece := await process.stdout.read(64 * 1024)):
        output += piece
        if len(output) > most:
            _kill(process)
            return None
    return bytes(output)


async def _tail(stderr: asyncio.StreamReader | None) -> str:
    said = b""
    while stderr is not None and (piece := await stderr.read(64 * 1024)):
        said = (said + piece)[-_SAID_BYTES:]
    return said.decode(errors="replace").strip()
