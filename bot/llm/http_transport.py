"""Requests to the model's server over HTTP, on aiohttp."""

from collections.abc import Awaitable, Mapping, Sequence
from ipaddress import ip_address, ip_network
from typing import TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from aiohttp.abc import AbstractStreamWriter

from bot.llm.transport import CutOff, NoResponse, Response, TimedOut

T = TypeVar("T")

_CONNECT_S = 10.0
_KEPT_ALIVE_S = 5.0
"""How long an idle connection is used again. The API ends its side later."""


class HttpTransport:
    """A `transport.Transport` for one server.

    `silence_s` is how long the server may send nothing. Certificates are the system's. A proxy of
    the environment (HTTPS_PROXY, NO_PROXY) is used; .netrc and cookies are not.
    """

    def __init__(self, server: str, silence_s: float) -> None:
        self._proxy = proxy_of(server)
        self._timeout = aiohttp.ClientTimeout(sock_connect=_CONNECT_S, sock_read=silence_s)
        self._opened: aiohttp.ClientSession | None = None

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], body: Sequence[bytes]
    ) -> Response:
        session = self._session()
        data = body[0] if len(body) == 1 else _Pieces(body)
        try:
            return _Received(await session.request(method, url, headers=headers, data=data))
        except aiohttp.ServerTimeoutError as error:
            raise TimedOut(_named(error)) from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise NoResponse(_named(error)) from error

    async def aclose(self) -> None:
        if self._opened is not None:
            await self._opened.close()

    def _session(self) -> aiohttp.ClientSession:
        """Opened with the first request, because it belongs to the running loop."""
        if self._opened is None:
            # No limit of connections: how many turns run at once is decided elsewhere.
            connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEPT_ALIVE_S)
            self._opened = aiohttp.ClientSession(
                connector=connector,
                timeout=self._timeout,
                cookie_jar=aiohttp.DummyCookieJar(),
                proxy=self._proxy,
            )
        return self._opened


class _Pieces(aiohttp.Payload):
    """A body in pieces, which is never joined. It can be sent again, where a redirect asks for it.

    aiohttp waits after each piece until most of it is out, so little of a long body is in buffers.
    """

    def __init__(self, pieces: Sequence[bytes]) -> None:
        super().__init__(pieces)
        self._size = sum(map(len, pieces))

    async def write(self, writer: AbstractStreamWriter) -> None:
        for piece in self._value:
            await writer.write(piece)

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return b"".join(self._value).decode(encoding, errors)


class _Received:
    """A `transport.Response`."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self._content = response.content
        self.status = response.status
        self.headers = response.headers

    async def piece(self) -> bytes:
        return await _unbroken(self._content.readany())

    async def read(self) -> bytes:
        return await _unbroken(self._response.read())

    async def aclose(self) -> None:
        self._response.release()


async def _unbroken(reading: Awaitable[T]) -> T:
    try:
        return await reading
    except aiohttp.ServerTimeoutError as error:
        raise TimedOut(_named(error)) from error
    except (aiohttp.ClientError, OSError) as error:
        raise CutOff(_named(error)) from error


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def proxy_of(server: str) -> str | None:
    """The proxy that the environment names for a server's URL.

    NO_PROXY may hold networks such as 192.168.0.0/16. aiohttp would look in the environment and in
    .netrc for each request, in a thread.
    """
    address, proxies = urlsplit(server), getproxies()
    proxy = proxies.get(address.scheme) or proxies.get("all")
    host = address.hostname or ""
    if not proxy or proxy_bypass(host) or _in_network(host, proxies.get("no", "")):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _in_network(host: str, exempt: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    for entry in exempt.split(","):
        try:
            if address in ip_network(entry.strip(), strict=False):
                return True
        except ValueError:
            continue
    return False
