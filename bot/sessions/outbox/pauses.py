"""Waiting for work that arrives or is due at a known moment."""

import asyncio
from collections.abc import Awaitable
from datetime import datetime

from bot.domain.clock import Clock


async def until_due(clock: Clock, wake: asyncio.Event, due: datetime | None) -> None:
    """Return when `wake` is set, or at the moment `due` if there is one."""
    waits: list[asyncio.Task[object]] = [asyncio.create_task(_awaited(wake.wait()))]
    if due is not None:
        waits.append(asyncio.create_task(_awaited(clock.sleep_until(due))))
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


async def _awaited(what: Awaitable[object]) -> object:
    return await what
