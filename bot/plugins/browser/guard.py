"""The guarded proxy: the browser's only way to the network.

Each host is looked up here, once, and the connection goes to the checked address. So redirects,
subresources and names that change their address can't lead to a private network.
"""

import asyncio
import base64
import hmac
import logging
import re
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

from bot.plugin.services import WebClient, WebError, parse_target
from bot.plugin.tools import ToolError

log = logging.getLogger(__name__)

_HEAD_BYTES = 64 * 1024
_CHUNK = 64 * 1024
_CONNECT_S = 10.0
_HEAD_S = 15.0
_IDLE_S = 60.0
_GOOGLE_APIS = (
    *(
        "android.clients",
        "chromewebstore",
        "clientservices",
        "content-autofill",
        "optimizationguide-pa",
    ),
    *("passwordsleakcheck-pa", "safebrowsing", "update", "www"),
)
_BROWSERS_OWN = frozenset(
    {
        *(f"{name}.googleapis.com" for name in _GOOGLE_APIS),
        *(
            "accounts.google.com",
            "clients2.google.com",
            "clients4.google.com",
            "redirector.gvt1.com",
        ),
    }
)
"""Hosts to which Chromium itself reports, for example to describe the forms of a page.

Pages are opened to be read here, not there.
"""
_HOP_HEADERS = frozenset({"proxy-authorization", "proxy-connection", "connection", "keep-alive"})
_REQUEST = re.compile(r"([A-Z]{3,10}) (\S{1,16000}) HTTP/1\.1")


def own_address(endpoint: str) -> str:
    """The address of this machine that a browser at this DevTools endpoint reaches.

    It is the one that the endpoint is reached from. Without an endpoint the browser runs here.
    """
    if not endpoint:
        return "127.0.0.1"
    there = urlsplit(endpoint)
    try:
        found = socket.getaddrinfo(there.hostname, there.port or 80, type=socket.SOCK_DGRAM)
        family, kind, _, _, address = found[0]
        with socket.socket(family, kind) as towards:
            towards.connect(address)  # no datagram is sent
            return str(towards.getsockname()[0])
    except (OSError, UnicodeError) as error:  # UnicodeError: no name of a host
        raise ToolError(f"the browser at {there.hostname} can't be reached: {error}") from error


class BrowserGuard:
    """A proxy for one session. `refusals` tells per host why it was not contacted."""

    def __init__(
        self, web: WebClient, host: str = "127.0.0.1", traffic_bytes: int = 60_000_000
    ) -> None:
        self._web = web
        self._host = host
        self._most = traffic_bytes
        self._left = traffic_bytes
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.password = secrets.token_urlsafe(24)
        self.refusals: dict[str, str] = {}
        self.sealed = False
        """Whether no new connection may be made, whatever the host."""
        self.asked_for: set[str] = set()
        """Hosts that pages themselves requested."""
        self.may_reach: Callable[[str], bool] = lambda _host: True

    @property
    def address(self) -> str:
        assert self._server is not None  # noqa: S101 - a caller's mistake
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._server.sockets[0].getsockname()[1]}"

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, self._host, 0, limit=_HEAD_BYTES)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in list(self._open):
            writer.transport.abort()

    @property
    def closed(self) -> bool:
        return self._server is None

    def refill(self) -> None:
        """Begin a new call, with a fresh limit on incoming bytes."""
        self._left = self._most
        self.refusals.clear()

    @property
    def exhausted(self) -> bool:
        return self._left <= 0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            async with asyncio.timeout(_HEAD_S):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            await self._answer(head, reader, writer)
        except (OSError, EOFError, asyncio.LimitOverrunError, TimeoutError) as error:
            log.debug("error=<%s> | a connection of the browser ended", error)
        finally:
            self._open.discard(writer)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _answer(
        self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        first, *lines = head.rstrip("\r\n").split("\r\n")
        request = _REQUEST.fullmatch(first)
        if request is None:
            writer.write(_told(400, "Bad Request", "the browser asked in a form that is not known"))
            return
        headers = [
            (name.strip(), value.strip())
            for name, _, value in (line.partition(":") for line in lines)
        ]
        if not self._is_own(headers):
            writer.write(
                b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic "
                b"realm=bellhop\r\n"
                b"Content-Length: 0\r\nConnection: close\r\n\r\n"
            )
            await writer.drain()
            return
        method, asked = request.groups()
        try:
            upstream = await self._connect(f"https://{asked}/" if method == "CONNECT" else asked)
        except WebError as error:
            writer.write(_told(403, "Forbidden", str(error)))
            return
        async with _closing(upstream[1]):
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection Established\r\n\r\n")
            else:
                upstream[1].write(_forwarded(method, asked, headers))
            await self._pipe_both(reader, writer, upstream)

    def _is_own(self, headers: list[tuple[str, str]]) -> bool:
        wanted = "Basic " + base64.b64encode(f"bellhop:{self.password}".encode()).decode()
        given = next(
            (value for name, value in headers if name.lower() == "proxy-authorization"), ""
        )
        return hmac.compare_digest(given.encode(), wanted.encode())

    async def _connect(self, url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to a checked address. Raises WebError, and remembers why for the host."""
        host = "?"
        try:
            target = parse_target(url)
            host = target.host
            if host in _BROWSERS_OWN and host not in self.asked_for:
                raise WebError(f"{host} is the browser's own service; it was not contacted")
            if self.sealed:
                raise WebError(
                    f"{host} was not contacted: the page holds text that was not approved yet"
                )
            if not self.may_reach(host):
                raise WebError(
                    f"{host} is not among the hosts that may be reached now; it was not contacted"
                )
            addresses = await self._web.addresses(host, target.port)
            return await _first(addresses, target.port, host)
        except WebError as error:
            if host not in _BROWSERS_OWN:  # of no page, so nothing on a page fails for it
                self.refusals.setdefault(host, str(error))
            raise

    async def _pipe_both(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        upstream: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        async def down() -> None:
            await self._pipe(upstream[0], writer)

        async def up() -> None:
            await self._pipe(reader, upstream[1])

        tasks = {asyncio.ensure_future(down()), asyncio.ensure_future(up())}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _pipe(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError):
            while self._left > 0:
                async with asyncio.timeout(_IDLE_S):
                    piece = await source.read(_CHUNK)
                if not piece:
                    return
                self._left -= len(piece)
                sink.write(piece)
                await sink.drain()


class _closing:  # noqa: N801 - used as a statement
    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def __aenter__(self) -> None:
        return None

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


async def _first(
    addresses: tuple[str, ...], port: int, host: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    for address in addresses:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_CONNECT_S):
                return await asyncio.open_connection(address, port)
    raise WebError(f"{host} can't be reached")


def _forwarded(method: str, url: str, headers: list[tuple[str, str]]) -> bytes:
    """A plain request in the form that its server takes. One per connection, so each is checked."""
    target = parse_target(url)
    path = target.path + (f"?{target.query}" if target.query else "")
    kept = [f"{name}: {value}" for name, value in headers if name.lower() not in _HOP_HEADERS]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *kept, "Connection: close", "", ""]).encode(
        "latin-1"
    )


def _told(status: int, reason: str, text: str) -> bytes:
    body = text.encode()
    head = (
        f"HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
        f"{len(body)}"
    )
    return f"{head}\r\nConnection: close\r\n\r\n".encode() + body
