"""A whole app that runs until a block ends."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from bot.app import App, AppOptions, open_app


@asynccontextmanager
async def at_work(app: App) -> AsyncGenerator[asyncio.Task[None]]:
    """Run an app that is open; errors of the run raise at the end of the block."""
    task = asyncio.create_task(app.run(), name="app")
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def running(options: AppOptions) -> AsyncGenerator[App]:
    """Open an app and run it; errors of the run raise at the end of the block."""
    async with open_app(options) as app, at_work(app):
        yield app
