"""Parses an address once and strictly, so that the checked address is the one that is used.

Spellings that programs read in different ways are refused instead of guessed at.
"""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import quote, urljoin, urlsplit

import idna

from bot.errors import raised_as
from bot.web.response import WebRefused

MAX_URL = 8_000
_PORTS = {"http": 80, "https": 443}
_BAD_CHARACTERS = re.compile(r"[\x00-\x20\x7f\\\s]")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LOWEST_OTHER_PORT = 1024
_CLOSED_PORTS = frozenset(
    {
        1719,
        1720,
        1723,
        2049,
        3659,
        4045,
        4190,
        5060,
        5061,
        6000,
        6566,
        *range(6665, 6670),
        6679,
        6697,
        10080,
    }
)
"""Ports above 1023 that browsers refuse, because HTTP can speak other protocols there."""
_PATH_SAFE = "/%:@!$&'()*+,;=~"
_QUERY_SAFE = _PATH_SAFE + "?[]|{}^`"


@dataclass(frozen=True)
class WebAddress:
    """An address in parts: the host in its one spelling, path and query percent-encoded."""

    scheme: str
    host: str
    port: int
    path: str
    query: str

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def literal(self) -> bool:
        """Whether the host is an address and needs no look-up."""
        return ":" in self.host or bool(_NUMERIC.fullmatch(self.host.rpartition(".")[2]))

    @property
    def shown(self) -> str:
        """For people and logs: without the query, which may hold secrets."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"

    def __str__(self) -> str:
        return self.shown + (f"?{self.query}" if self.query else "")


def parse_target(url: str) -> WebAddress:
    """Read an http(s) address. Raises WebRefused, saying what is wrong with it."""
    if len(url) > MAX_URL:
        raise WebRefused(f"the address has {len(url):,} characters; at most {MAX_URL:,} are taken")
    if _BAD_CHARACTERS.search(url):
        raise WebRefused(
            "the address holds a space, a backslash or a control character; percent-encode it"
        )
    with raised_as(WebRefused, ValueError, about="the address can't be read"):
        parts = urlsplit(url)
        port = parts.port
    if parts.scheme not in _PORTS:
        raise WebRefused("only http:// and https:// addresses can be used")
    if "@" in parts.netloc:
        raise WebRefused("an address must not hold a user name or password")
    if not parts.hostname:
        raise WebRefused("the address names no host; write it like https://example.org/page")
    port = _port(parts.netloc, port, parts.scheme)
    return WebAddress(
        parts.scheme,
        _host(parts.hostname, bracketed="[" in parts.netloc),
        port,
        quote(parts.path or "/", safe=_PATH_SAFE),
        quote(parts.query, safe=_QUERY_SAFE),
    )


def redirected(target: WebAddress, location: str) -> WebAddress:
    """The target of a redirect. Raises WebRefused like `parse_target`."""
    if _BAD_CHARACTERS.search(location):
        raise WebRefused(f"{target.host} redirects to an address that can't be read")
    with raised_as(
        WebRefused, ValueError, about=f"{target.host} redirects to an address that can't be read"
    ):
        joined = urljoin(str(target), location)
    return parse_target(joined)


def _port(netloc: str, port: int | None, scheme: str) -> int:
    if port is None:
        if netloc.endswith(":"):
            raise WebRefused("the address has a colon without a port")
        return _PORTS[scheme]
    if port not in _PORTS.values() and (port < _LOWEST_OTHER_PORT or port in _CLOSED_PORTS):
        raise WebRefused(f"port {port} is not one for web pages; use 80, 443 or one above 1023")
    return port


def _host(host: str, *, bracketed: bool) -> str:
    if bracketed:
        return _ipv6(host)
    name = host if host.isascii() else _ascii(host)
    name = name.lower()
    labels = name.split(".")
    if _NUMERIC.fullmatch(labels[-1]):
        return _ipv4(name)
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise WebRefused(f"{host[:80]!r} is no host name; write it plainly, like example.org")
    return name


def _ipv6(host: str) -> str:
    try:
        address = IPv6Address(host)
    except AddressValueError:
        raise WebRefused(f"[{host[:60]}] is no IPv6 address") from None
    if address.scope_id is not None:
        raise WebRefused("an address with a zone leads into a local network and can't be used")
    return str(address)


def _ipv4(name: str) -> str:
    try:
        return str(IPv4Address(name))
    except AddressValueError:
        raise WebRefused(
            f"{name[:60]!r} is no plain IPv4 address; write four decimal numbers, or a name"
        ) from None


def _ascii(host: str) -> str:
    try:
        return idna.encode(host, uts46=True, transitional=False).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        raise WebRefused(f"{host[:80]!r} is no host name") from None
