"""A whole app that runs until a block ends."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from bot.app import App, AppOptions, open_app


@asynccontextmanager
async def running(options: AppOptions) -> AsyncGenerator[App]:
    """Open an app and run it; errors of the run raise at the end of the block."""
    async with open_app(options) as app:
        task = asyncio.create_task(app.run(), name="app")
        try:
            yield app
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
