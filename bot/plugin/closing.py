"""For chat platforms: ending a library's client whole."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any


async def closed_whole(
    closing: Coroutine[Any, Any, None], cut: Callable[[], Awaitable[Any]]
) -> None:
    """Await a client's own closing to its end, also when that is cancelled.

    Bellhop cancels an adapter again if it takes too long to end. That would break the closing off
    before its last step, which is often the HTTP session. `cut` closes what the closing waits for.
    """
    task = asyncio.create_task(closing)
    try:
        await asyncio.shield(task)
    finally:
        await cut()
        await asyncio.wait({task})
