"""Records of a domain beyond its addresses: mail, who may issue certificates, name servers.

`NameServers` asks name servers for them; this is the only importer of the DNS library.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias, cast

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


ALL_S = 15.0
USUAL_SELECTORS = (
    *("default", "dkim", "google", "k1", "k2", "k3", "mail", "mandrill", "mailjet", "pm", "s1"),
    *("s2", "sig1", "selector1", "selector2", "smtp", "zoho", "fm1", "fm2", "fm3", "protonmail"),
)
"""Names that mail services give their keys. A domain does not list its own."""

MOST_LOOKUPS = 10
"""RFC 7208: beyond these, receivers treat the whole record as an error."""
_GIVE_UP = 25
"""How far the count goes on, to say by how many it is too much."""
_COSTS = frozenset({"a", "mx", "ptr", "exists", "include", "redirect"})
_FOLLOWED = frozenset({"include", "redirect"})


async def spf_of(ask: Ask, domain: str) -> dict[str, Any]:
    """The domain's own records, those of its includes, and the number of look-ups.

    Raises NoAnswer where the domain itself can't be asked for.
    """
    own = await _at(ask, domain)
    if not own:
        return {"records": []}
    includes: dict[str, str] = {}
    waiting, lookups = [own[0]], 0
    while waiting and lookups < _GIVE_UP:
        for kind, target in list(_terms(waiting.pop(0)))[: _GIVE_UP - lookups]:
            lookups += 1
            if kind in _FOLLOWED and target not in includes:
                includes[target], record = await _included(ask, target)
                waiting += record
    told: dict[str, Any] = {"records": own, "lookups": lookups, "most_lookups": MOST_LOOKUPS}
    return {**told, "includes": includes} if includes else told


async def _included(ask: Ask, target: str) -> tuple[str, Sequence[str]]:
    """What is told of an include, and its record to go on with."""
    if "%" in target:
        return "depends on the mail, not followed", ()
    try:
        found = await _at(ask, target)
    except NoAnswer as error:
        return str(error), ()
    return (found[0], found[:1]) if found else ("has no SPF record", ())


async def _at(ask: Ask, name: str) -> list[str]:
    found = await ask(name, "TXT")
    return [one for one in found if one.casefold().split(" ")[0] == "v=spf1"]


def _terms(record: str) -> Iterator[tuple[str, str]]:
    """The terms of a record that make receivers look something up, with their targets."""
    for term in record.casefold().split()[1:]:
        name = term.lstrip("+-~?")
        kind = name.replace("=", ":").replace("/", ":").partition(":")[0]
        if kind in _COSTS:
            yield kind, name[len(kind) + 1 :].removesuffix(".")


class RecordType(StrEnum):
    """What can be asked for: plain types, and records that stand at a known name below."""

    MX = "MX"
    TXT = "TXT"
    SPF = "SPF"
    DMARC = "DMARC"
    DKIM = "DKIM"
    MTA_STS = "MTA-STS"
    TLS_RPT = "TLS-RPT"
    CAA = "CAA"
    NS = "NS"
    SOA = "SOA"
    CNAME = "CNAME"


_BELOW = {
    RecordType.DMARC: ("_dmarc", "v=DMARC1"),
    RecordType.MTA_STS: ("_mta-sts", "v=STSv1"),
    RecordType.TLS_RPT: ("_smtp._tls", "v=TLSRPTv1"),
}
"""The name below the domain, and how the record begins; other texts there are not it."""
_INHERITED = frozenset({RecordType.CAA, RecordType.DMARC})
"""A name without one has that of the next name above it."""


@dataclass
class FoundRecords:
    """Records by type, and the name where they stand unless it is the host."""

    records: dict[str, Any] = field(default_factory=dict[str, Any])
    """Nothing for a type means that there is none."""
    found_at: dict[str, str] = field(default_factory=dict[str, str])
    problems: dict[str, str] = field(default_factory=dict[str, str])
    """Types that nobody answered for."""

    def described(self) -> dict[str, Any]:
        told: dict[str, Any] = {"records": self.records}
        if self.found_at:
            told["found_at"] = self.found_at
        return {**told, "problems": self.problems} if self.problems else told


async def records_of(ask: Ask, host: str, types: Sequence[RecordType]) -> FoundRecords:
    """All of these types, asked for at once."""
    found = FoundRecords()
    with suppress(TimeoutError):
        async with asyncio.timeout(ALL_S):
            await asyncio.gather(*(_look(ask, host, one, found) for one in set(types)))
    for one in set(types) - found.records.keys() - found.problems.keys():
        found.problems[one] = f"no answer within {ALL_S:g} seconds"
    found.records = {one: found.records[one] for one in types if one in found.records}
    return found


async def _look(ask: Ask, host: str, kind: RecordType, found: FoundRecords) -> None:
    try:
        match kind:
            case RecordType.DKIM:
                found.records[kind] = await _keys(ask, host)
            case RecordType.SPF:
                found.records[kind] = await spf_of(ask, host)
            case _:
                at, records = await _plain(ask, host, kind)
                found.records[kind] = records
                if records and at != host:
                    found.found_at[kind] = at
    except NoAnswer as error:
        found.problems[kind] = str(error)


async def _plain(ask: Ask, host: str, kind: RecordType) -> tuple[str, Sequence[str]]:
    """The records, and the name that has them."""
    label, begins = _BELOW.get(kind, ("", ""))
    for name in _upwards(host) if kind in _INHERITED else [host]:
        at = f"{label}.{name}" if label else name
        told = await ask(at, "TXT" if label else kind)
        if records := [one for one in told if one.startswith(begins)]:
            return at, records
    return host, []


def _upwards(host: str) -> list[str]:
    """The host and the names above it, but no top-level domain."""
    labels = host.split(".")
    return [".".join(labels[start:]) for start in range(max(1, len(labels) - 1))]


async def _keys(ask: Ask, host: str) -> dict[str, str]:
    """The keys at the usual selectors, by selector."""
    told = await asyncio.gather(
        *(ask(f"{selector}._domainkey.{host}", "TXT") for selector in USUAL_SELECTORS)
    )
    pairs = zip(USUAL_SELECTORS, told, strict=True)
    return {selector: texts[0] for selector, texts in pairs if texts and "p=" in texts[0]}
