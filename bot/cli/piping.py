"""Standard input as a file: `cat report | bellhop chat --once "summarise"`."""

import asyncio
import contextlib
import fcntl
import os
import secrets
import stat
import sys
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path

from bot.chat.terminal.files import MAX_FILE_BYTES
from bot.domain.messages import Attachment
from bot.errors import BotError

NAME = "standard-input.txt"
_PREFIX = "input-"


class TooMuchInput(BotError):
    """Standard input holds more than a file that can be attached."""


@contextlib.contextmanager
def piped_in(home: Path, *, wanted: bool) -> Generator[tuple[Attachment, ...]]:
    """Piped input as a file in the home's data folder, removed afterwards.

    It is in the home because its reader may be another process with its own /tmp. This process
    locks it while it lives. Blocks until the input ends. Raises TooMuchInput.
    """
    data = _read() if wanted else b""
    if not data:
        yield ()
        return
    path = home / "data" / f"{_PREFIX}{secrets.token_hex(8)}"
    mime = "application/octet-stream" if b"\0" in data else "text/plain"
    try:
        with path.open("xb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(data)
            file.flush()
            yield (Attachment(str(path), NAME, mime, len(data)),)
    finally:
        path.unlink(missing_ok=True)


async def remove_left_inputs(home: Path, needed: Callable[[str], Awaitable[bool]]) -> None:
    """Remove files of killed processes, unless unfinished work names the file."""
    for path in await asyncio.to_thread(_left, home):
        if not await needed(path.name):
            await asyncio.to_thread(path.unlink, missing_ok=True)


def _left(home: Path) -> list[Path]:
    """Files of standard input whose process is gone."""
    left: list[Path] = []
    for path in (home / "data").glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError), path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.append(path)
    return left


def _read() -> bytes:
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError):  # closed, or no file at all
        return b""
    if not (stat.S_ISFIFO(mode) or stat.S_ISREG(mode)):  # a terminal, /dev/null, a service's socket
        return b""
    data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        most = f"{MAX_FILE_BYTES // 1_000_000} MB"
        raise TooMuchInput(
            f"standard input holds more than {most}; save it and attach a part of it with @path"
        )
    return data
