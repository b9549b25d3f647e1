"""Runs one of our parsers in its own process, without secrets and with a time limit."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import bot

_START = (
    "import sys, importlib as i; s = sys.argv[1]; s in sys.path or sys.path.insert(0, s);"
    " i.import_module(sys.argv[2]).main()"
)
"""Isolated from the environment (-I), but with the parsers of the very program that runs."""


async def run_limited(module: str, request: bytes, wall_s: float, most_bytes: int) -> bytes:
    """What the `main` of `module` writes for `request`; empty if it fails or exceeds its limits."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-B",
        "-c",
        _START,
        str(Path(bot.__file__).parents[1]),
        module,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
        cwd="/",
        limit=most_bytes,
    )
    try:
        async with asyncio.timeout(wall_s):
            _, output = await asyncio.gather(_feed(process, request), _output(process, most_bytes))
            return output if await process.wait() == 0 else b""
    except TimeoutError:
        return b""
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _feed(process: asyncio.subprocess.Process, request: bytes) -> None:
    if process.stdin is None:
        raise TypeError("the process has no standard input")
    with suppress(ConnectionError):  # it ended before it had read everything
        process.stdin.write(request)
        await process.stdin.drain()
    process.stdin.close()


async def _output(process: asyncio.subprocess.Process, most_bytes: int) -> bytes:
    if process.stdout is None:
        raise TypeError("the process has no standard output")
    output = bytearray()
    while piece := await process.stdout.read(64 * 1024):
        output += piece
        if len(output) > most_bytes:
            process.kill()
            return b""
    return bytes(output)
