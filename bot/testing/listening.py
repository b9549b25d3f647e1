"""Bellhop's HTTP server, listening until a block ends."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from bot.endpoints.http import HttpServer


@asynccontextmanager
async def listening(server: HttpServer) -> AsyncGenerator[str]:
    """Run the server; yield its address, such as `http://127.0.0.1:40123`."""
    task = asyncio.create_task(server.run())
    try:
        async with asyncio.timeout(60):
            await server.listening.wait()
        yield f"http://127.0.0.1:{server.port}"
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
