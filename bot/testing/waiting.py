"""Waiting for a state that nobody announces."""

import asyncio
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from pathlib import Path

PATIENCE_S = 60.0
_YIELDS = 5
_LOOK_S = 0.001


async def until(
    holds: Callable[[], object | Awaitable[object]], patience_s: float = PATIENCE_S
) -> None:
    """Wait until `holds()`, or what it awaits, is true, without moving any fake clock.

    After the first few turns of the event loop it checks once a millisecond: a loop that only
    yields takes the processor from the threads and processes it waits for. Raises TimeoutError.
    """
    async with asyncio.timeout(patience_s):
        for _ in range(_YIELDS):
            if await _is_true(holds):
                return
            await asyncio.sleep(0)
        while not await _is_true(holds):  # noqa: ASYNC110 - nobody announces it
            await asyncio.sleep(_LOOK_S)


async def _is_true(holds: Callable[[], object | Awaitable[object]]) -> bool:
    held = holds()
    return bool(await held if isawaitable(held) else held)


def runs(pid: int) -> bool:
    """Whether a process runs; a zombie that waits for its new parent doesn't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
