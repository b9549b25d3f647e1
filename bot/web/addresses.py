"""Decides which addresses a request may be sent to.

Only global unicast is allowed. Private addresses, and those that wrap another one (mapped, NAT64,
6to4, Teredo), are refused unless an operator listed them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from bot.web.response import WebError, WebRefused

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

_CLOSED_V4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        "168.63.129.16/32",  # formally public, but the host's own agent in one large cloud
    )
)
_OPEN_V6 = IPv6Network("2000::/3")
_CLOSED_V6 = tuple(
    IPv6Network(text) for text in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
_NEVER_BY_NAME = tuple(
    ip_network(text)
    for text in ("0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3", "fe80::/10", "ff00::/8", "::/128")
)
"""Networks of credentials and neighbours. Only a listed network opens them, no host name."""
_NAT64 = IPv6Network("64:ff9b::/96")


def is_global_unicast(address: Address) -> bool:
    """Whether an address is public, by our own table: Python's differs between its versions."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED_V4)
    return address in _OPEN_V6 and not any(address in network for network in _CLOSED_V6)


@dataclass(frozen=True)
class PrivateAllowed:
    """The addresses that `web.allow_private` permits besides the public internet."""

    networks: tuple[Network, ...] = ()
    hosts: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, entries: Iterable[str]) -> "PrivateAllowed":
        """Read networks (CIDR), addresses and host names. Raises ValueError for anything else."""
        networks: list[Network] = []
        hosts: list[str] = []
        for entry in entries:
            if "/" in entry or ":" in entry or entry.replace(".", "").isdigit():
                networks.append(_network(entry))
            else:
                hosts.append(_host_name(entry))
        return cls(tuple(networks), frozenset(hosts))

    def opens(self, host: str, address: Address) -> bool:
        """Whether an operator permitted this address, by its network or its host name."""
        if any(
            address.version == network.version and address in network for network in self.networks
        ):
            inner = _inner(address)
            return inner is None or is_global_unicast(inner) or self.opens(host, inner)
        return host in self.hosts and not any(
            address.version == network.version and address in network for network in _NEVER_BY_NAME
        )


def _network(entry: str) -> Network:
    try:
        return ip_network(entry)
    except ValueError:
        raise ValueError(
            f"{entry!r} is no network; write one like 10.0.0.0/8, an address or a host name"
        ) from None


def _host_name(entry: str) -> str:
    name = entry.strip().casefold()
    if not name or not name.isascii() or not all(part.replace("-", "").replace("_", "").isalnum()
                                                 for part in name.split(".")):  # fmt: skip
        raise ValueError(
            f"{entry!r} is no host name; write one like wiki.example.org, without scheme and port"
        )
    return name


def _inner(address: Address) -> IPv4Address | None:
    """The IPv4 address that a wrapping IPv6 address leads to."""
    if isinstance(address, IPv4Address):
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.sixtofour


def vetted(host: str, answers: Sequence[str], allowed: PrivateAllowed) -> tuple[str, ...]:
    """The addresses to connect to.

    Raises WebRefused when one of them is not allowed, WebError when there is none.

    One private address among public ones refuses them all, because we can't choose which one is
    used.
    """
    addresses: list[str] = []
    for answer in answers:
        try:
            address = ip_address(answer)
        except ValueError:
            raise WebRefused(
                f"{host} has an address that can't be read; it was not contacted"
            ) from None
        zone = isinstance(address, IPv6Address) and address.scope_id is not None
        if zone or not (is_global_unicast(address) or allowed.opens(host, address)):
            raise WebRefused(
                f"{host} is not on the public internet, so it was not contacted. Only the operator "
                "can open it (web.allow_private)."
            )
        addresses.append(str(address))
    if not addresses:
        raise WebError(f"{host} has no address; check the name")
    return tuple(dict.fromkeys(addresses))
