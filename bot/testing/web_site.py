"""A loopback web server whose answers a test chooses; it records its requests."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeAlias

_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    """The path with its query, as it was sent."""
    headers: Mapping[str, str]
    """Headers by lower-case name."""
    body: bytes


Answers: TypeAlias = Callable[[Asked], bytes | None]
"""Returns the whole answer, head included; None: never answer."""


def answer(
    body: bytes | str = b"",
    status: str = "200 OK",
    content_type: str = "text/plain",
    **headers: str,
) -> bytes:
    """Return a well-formed answer; `content_encoding="gzip"` becomes the header of that name."""
    data = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", f"Content-Length: {len(data)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + _END + data


def redirect(location: str, status: str = "302 Found") -> bytes:
    return answer(status=status, Location=location)


@dataclass
class WebSite:
    """A site: `asked` records requests; `connections` counts connections, idle ones included."""

    answers: Answers
    host: str = "127.0.0.1"
    port: int = 0
    asked: list[Asked] = field(default_factory=list[Asked])
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            asked = await _read(reader)
            self.asked.append(asked)
            data = self.answers(asked)
            if data is None:
                await reader.read()
                return
            writer.write(data)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


@asynccontextmanager
async def web_site(
    answers: Answers, certified: ssl.SSLContext | None = None
) -> AsyncGenerator[WebSite]:
    """Serve on a free port of 127.0.0.1 until the block ends, over TLS if it is `certified`."""
    site = WebSite(answers)
    server = await asyncio.start_server(site.serve, site.host, 0, ssl=certified)
    site.port = server.sockets[0].getsockname()[1]
    async with server:
        yield site


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(_END)).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    return Asked(
        method, path, headers, await reader.readexactly(int(headers.get("content-length", 0)))
    )
