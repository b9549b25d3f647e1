"""A limit of time for a block of work, by the clock that everything else goes by."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bot.domain.clock import Clock


@asynccontextmanager
async def deadline(clock: Clock, seconds: float) -> AsyncGenerator[None]:
    """Cancel the block after so many seconds and raise TimeoutError in its place."""
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("a deadline needs a task")
    cancelled = task.cancelling()
    rung = False

    async def ring() -> None:
        nonlocal rung
        await clock.sleep(seconds)
        rung = True
        task.cancel()

    bell = asyncio.create_task(ring(), name="deadline")
    try:
        yield
    except asyncio.CancelledError:
        # Somebody else's cancellation goes first: the work is to end, not only to be late.
        if rung and task.uncancel() <= cancelled:
            raise TimeoutError(f"not done in {seconds:g} s") from None
        raise
    finally:
        bell.cancel()
