"""One request to one checked address; only this module of the room knows the HTTP library."""

import socket
import zlib
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address
from typing import Any

import aiohttp
import yarl
from aiohttp.abc import AbstractResolver, ResolveResult

from bot import __version__
from bot.errors import raised_as
from bot.web.response import WebError, WebResponse
from bot.web.targets import WebAddress

_CHUNK = 64 * 1024
_USER_AGENT = f"Bellhop/{__version__}"
_WINDOW_BITS = {"gzip": 31, "x-gzip": 31, "deflate": 15}


async def exchange(
    target: WebAddress,
    addresses: Sequence[str],
    method: str,
    headers: Mapping[str, str],
    body: bytes | None,
    max_bytes: int,
) -> WebResponse:
    """Send one request to one of `addresses` and to nothing else. Raises WebError.

    TLS is checked against the target's host. The environment is ignored: no proxy, no .netrc, no
    cookies.
    """
    url = yarl.URL.build(
        scheme=target.scheme,
        host=target.host,
        port=target.port,
        path=target.path,
        query_string=target.query,
        encoded=True,
    )
    sent = {
        "User-Agent": _USER_AGENT,
        "Accept": "*/*",
        **headers,
        "Accept-Encoding": "gzip, deflate",
    }
    connector = aiohttp.TCPConnector(
        resolver=_Pinned(addresses), use_dns_cache=False, force_close=True, limit=1,
        socket_factory=_only_to(addresses),
    )  # fmt: skip
    try:
        async with (
            aiohttp.ClientSession(
                connector=connector,
                trust_env=False,
                auto_decompress=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
            ) as session,
            session.request(method, url, headers=sent, data=body, allow_redirects=False) as answer,
        ):
            content, cut = await _read(answer, max_bytes)
            found = {name.lower(): value for name, value in answer.headers.items()}
            return WebResponse(str(target), answer.status, answer.reason or "", found, content, cut)
    except aiohttp.ClientConnectorCertificateError as error:
        raise WebError(
            f"{target.host} has no valid certificate: {error.certificate_error}"
        ) from error
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise WebError(f"{target.shown} could not be read: {_why(error)}") from error


class _Pinned(AbstractResolver):
    """Answers with the checked addresses, so that a second lookup can't differ (DNS rebinding)."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host, host=address, port=port, proto=0, flags=socket.AI_NUMERICHOST,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
            )
            for address in self._addresses
        ]  # fmt: skip

    async def close(self) -> None:
        """Nothing is held."""


def _only_to(addresses: Sequence[str]) -> Any:
    """A socket factory for these addresses only, whatever the library makes of a host."""
    allowed = {ip_address(address) for address in addresses}

    def factory(info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = info
        if ip_address(address[0]) not in allowed:
            raise OSError(f"{address[0]} is not the address that was checked")
        made = socket.socket(family, kind, protocol)
        made.setblocking(False)
        return made

    return factory


async def _read(answer: aiohttp.ClientResponse, limit: int) -> tuple[bytes, bool]:
    """Up to `limit` bytes, counted after decompression.

    Raises WebError for a coding that was not asked for.
    """
    coding = answer.headers.get("Content-Encoding", "").strip().lower()
    if coding not in {"", "identity", *_WINDOW_BITS}:
        raise WebError(f"{answer.url.host} answers in {coding[:20]!r}, which was not asked for")
    body = bytearray()
    unpack = _Unpacker(_WINDOW_BITS[coding]) if coding in _WINDOW_BITS else None
    async for chunk in answer.content.iter_chunked(_CHUNK):
        for piece in [chunk] if unpack is None else unpack.pieces(chunk):
            body += piece
            if len(body) > limit:
                return bytes(body[:limit]), True
    return bytes(body), False


class _Unpacker:
    """Unpacks piece by piece, so that a small answer can't grow beyond what is counted."""

    def __init__(self, window_bits: int) -> None:
        self._bits = window_bits
        self._stream = zlib.decompressobj(window_bits)
        self._begun = False

    def pieces(self, data: bytes) -> Iterator[bytes]:
        with raised_as(WebError, zlib.error, about="the answer's compression is broken"):
            yield from self._unpack(data)

    def _unpack(self, data: bytes) -> Iterator[bytes]:
        if not self._begun and data:
            self._begun = True
            # Many servers send `deflate` without the zlib header that the name demands.
            if self._bits == _WINDOW_BITS["deflate"] and data[0] & 0x0F != zlib.DEFLATED:
                self._stream = zlib.decompressobj(-self._bits)
        while data and not self._stream.eof:
            yield self._stream.decompress(data, _CHUNK)
            data = self._stream.unconsumed_tail


def _why(error: Exception) -> str:
    match error:
        case aiohttp.ClientConnectorError():
            return f"no connection ({error.strerror or type(error.os_error).__name__})"
        case aiohttp.ServerDisconnectedError():
            return "the server closed the connection without an answer"
        case aiohttp.ClientPayloadError():
            return "the answer ended too early"
        case aiohttp.ClientResponseError():
            return f"the answer is not HTTP ({error.message[:200]})"
        case _:
            return f"{type(error).__name__}: {str(error)[:200]}"
