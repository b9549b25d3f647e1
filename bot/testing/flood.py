"""A loopback server whose answers have any size, generated as they are sent."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from bot.testing.waiting import until

GIGABYTE = 1_000_000_000
_PIECE = 64 * 1024


@dataclass
class Flood:
    """A server of oversized bodies: `sent` counts body bytes, `answers` counts requests.

    `begins` starts every body, so that it looks like what the client expects. Its last byte is
    repeated up to `size`.
    """

    size: int = GIGABYTE
    begins: bytes = b'{"a": "a'
    content_type: str = "application/json"
    status: str = "200 OK"
    url: str = ""
    sent: int = 0
    answers: int = 0
    open: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter], repr=False)
    """Connections whose body is being sent."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open.add(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            self.answers += 1
            head = f"HTTP/1.1 {self.status}\r\nContent-Type: {self.content_type}\r\n"
            writer.write(f"{head}Content-Length: {self.size}\r\n\r\n".encode() + self.begins)
            piece, left = self.begins[-1:] * _PIECE, self.size - len(self.begins)
            while left > 0:
                part = piece[:left]
                writer.write(part)
                await writer.drain()
                self.sent += len(part)
                left -= len(part)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
        self.open.discard(writer)


@asynccontextmanager
async def flooding(flood: Flood) -> AsyncGenerator[Flood]:
    """Serve on a free loopback port until the block ends."""
    server = await asyncio.start_server(flood.serve, "127.0.0.1", 0)
    flood.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield flood
        for writer in flood.open:
            writer.transport.abort()
        await until(lambda: not flood.open)
