"""The one guarded HTTP client: parses once, resolves, checks, pins; repeats on redirects."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bot.web.addresses import PrivateAllowed, vetted
from bot.web.response import WebError, WebRefused, WebResponse
from bot.web.settings import WebSettings
from bot.web.targets import WebAddress, parse_target, redirected

log = logging.getLogger(__name__)

MOST_REDIRECTS = 5
WAIT_S = 30.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_READING = frozenset({"GET", "HEAD"})
_FOR_ANYBODY = frozenset({"accept", "accept-language"})
"""Headers that are kept on a redirect to another host."""

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Resolves host and port to addresses. Raises OSError."""


@dataclass(frozen=True)
class WebRequest:
    """A request to an http(s) address.

    Headers and body go only to the address's own host, never to a redirect's host.
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    body: bytes | None = field(default=None, repr=False)
    timeout_s: float = WAIT_S
    """Total seconds, including redirects and body."""
    max_bytes: int = 5_000_000
    """The most bytes of the answer, after decompression."""
    may_reach: Callable[[str], bool] | None = None
    """Checks the host of the address and of each redirect; None: only the settings decide."""
    follow: bool = True
    """False: a redirect is returned as the answer."""


async def system_addresses(host: str, port: int) -> Sequence[str]:
    """Addresses from the system's resolver. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class WebClient:
    """Fetches from the public internet, and from addresses that `web.allow_private` permits.

    Holds no connection and no cookie.
    """

    def __init__(self, settings: WebSettings, resolve: Resolve = system_addresses) -> None:
        self._allowed = PrivateAllowed.parse(settings.allow_private)
        self._resolve = resolve

    async def fetch(self, request: WebRequest) -> WebResponse:
        """Send a request and return the answer, whatever its status.

        Raises WebRefused for a forbidden address, WebError for other trouble.

        Redirects are followed up to 5 times. A writing request is not repeated elsewhere: a 307 or
        308 to another host is refused.
        """
        target = parse_target(request.url)
        try:
            async with asyncio.timeout(request.timeout_s):
                return await self._follow(target, request)
        except TimeoutError as error:
            raise WebError(
                f"{target.host} did not answer within {request.timeout_s:g} seconds"
            ) from error

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """The permitted addresses of a host, for clients of other protocols.

        Raises like `fetch`; asks the resolver.
        """
        spelled = f"[{host}]" if ":" in host else host
        return await self._addresses(replace(parse_target(f"https://{spelled}/"), port=port))

    async def check(self, url: str) -> None:
        """Raises like `fetch` for a forbidden address; contacts only the resolver."""
        await self._addresses(parse_target(url))

    async def _follow(self, target: WebAddress, request: WebRequest) -> WebResponse:
        from bot.web.exchange import exchange  # noqa: PLC0415 - the HTTP library is large

        for _ in range(MOST_REDIRECTS + 1):
            if request.may_reach is not None and not request.may_reach(target.host):
                raise WebRefused(
                    f"{target.host} is not among the hosts that may be reached now; it was not "
                    "contacted"
                )
            addresses = await self._addresses(target)
            log.debug(
                "host=<%s>, port=<%d>, method=<%s> | web request",
                target.host,
                target.port,
                request.method,
            )
            response = await exchange(
                target,
                addresses,
                request.method,
                request.headers,
                request.body,
                request.max_bytes,
            )
            location = response.headers.get("location")
            if response.status not in _REDIRECTS or not location or not request.follow:
                return response
            following = redirected(target, location)
            request = _onward(request, response.status, target, following)
            target = following
        raise WebError(f"{target.host} redirects more than {MOST_REDIRECTS} times")

    async def _addresses(self, target: WebAddress) -> tuple[str, ...]:
        if target.literal:
            return vetted(target.host, [target.host], self._allowed)
        try:
            answers = await self._resolve(target.host, target.port)
        except OSError as error:
            raise WebError(f"{target.host} could not be found; check the name") from error
        return vetted(target.host, answers, self._allowed)


def _onward(
    request: WebRequest, status: int, target: WebAddress, following: WebAddress
) -> WebRequest:
    """The redirected request; another host gets no headers or body of the first."""
    elsewhere = following.origin != target.origin
    if target.scheme == "https" and following.scheme == "http":
        raise WebRefused(f"{target.host} redirects from https to http, which is not followed")
    if request.method not in _READING:
        if status in {307, 308}:
            if elsewhere:
                raise WebRefused(
                    f"{target.host} wants the request to be sent to {following.host} instead; it "
                    "was not"
                )
            return request
        request = replace(request, method="GET", body=None, headers=_without_body(request.headers))
    if elsewhere:
        kept = {
            name: value for name, value in request.headers.items() if name.lower() in _FOR_ANYBODY
        }
        return replace(request, headers=kept)
    return request


def _without_body(headers: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value for name, value in headers.items() if not name.lower().startswith("content-")
    }
