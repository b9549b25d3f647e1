"""Asks name servers for records; the only importer of the DNS library."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from bot.plugin.tools import ToolError

if TYPE_CHECKING:
    from dns.asyncresolver import Resolver
    from dns.rdata import Rdata

LOOKUP_S = 5.0
MOST_RECORDS = 40
MOST_CHARS = 900
"""Of one record; a DKIM key of 4096 bits has about 740."""

Ask: TypeAlias = Callable[[str, str], Awaitable[Sequence[str]]]
"""Returns the records of a name and a type as text, none where there are none. Raises NoAnswer."""


class NoAnswer(Exception):
    """A name server gave no answer that can be used."""


class NameServers:
    """The name servers of this machine, or those that are named here."""

    def __init__(
        self, servers: Sequence[str] = (), port: int = 53, lookup_s: float = LOOKUP_S
    ) -> None:
        self._servers, self._port = servers, port
        self._lookup_s = lookup_s

    async def asking(self) -> Ask:
        """What asks them. Raises ToolError when this machine names none."""
        resolver = await asyncio.to_thread(self._resolver)

        async def ask(name: str, kind: str) -> Sequence[str]:
            return await _records(resolver, name, kind, self._lookup_s)

        return ask

    def _resolver(self) -> "Resolver":
        """In a thread: the library is large, and reads which servers this machine has."""
        import dns.asyncresolver  # noqa: PLC0415 - few questions need it
        import dns.exception  # noqa: PLC0415

        try:
            resolver = dns.asyncresolver.Resolver(configure=not self._servers)
        except dns.exception.DNSException as error:
            raise ToolError(f"this machine names no name server ({error})") from error
        if self._servers:
            resolver.nameservers, resolver.port = list(self._servers), self._port
        return resolver


async def _records(resolver: "Resolver", name: str, kind: str, lookup_s: float) -> Sequence[str]:
    import dns.exception  # noqa: PLC0415 - `_resolver` has imported it
    import dns.resolver  # noqa: PLC0415

    try:
        answer = await resolver.resolve(
            f"{name}.", kind, lifetime=lookup_s, raise_on_no_answer=False
        )
    except dns.resolver.NXDOMAIN:
        return []
    except dns.exception.Timeout:
        raise NoAnswer(f"{name}: no answer within {lookup_s:g} seconds") from None
    except (dns.exception.DNSException, OSError, EOFError) as error:
        raise NoAnswer(f"{name}: {str(error)[:200]}") from error
    records = cast("Iterable[Rdata]", answer.rrset or ())
    return [_text(one) for one in sorted(records)[:MOST_RECORDS]]


def _text(record: "Rdata") -> str:
    """A record as people write it; the strings of a TXT record are one text."""
    strings: Sequence[bytes] | None = getattr(record, "strings", None)
    whole = record.to_text() if strings is None else b"".join(strings).decode("utf-8", "replace")
    return whole[:MOST_CHARS]
