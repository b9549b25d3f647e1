"""A loopback name server whose records a test chooses; it records its questions."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias, cast

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

Zone: TypeAlias = Mapping[tuple[str, str], Sequence[str]]
"""Records as people write them, by name and type."""


@dataclass
class NameServer(asyncio.DatagramProtocol):
    """Knows the names of its zone. A type that is `silent` is never answered."""

    zone: Zone
    silent: frozenset[str] = frozenset()
    port: int = 0
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.DatagramTransport", transport)
        self.port = transport.get_extra_info("sockname")[1]

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        query = dns.message.from_wire(data)
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True)
        kind = dns.rdatatype.to_text(question.rdtype)
        self.asked.append((name, kind))
        if kind in self.silent:
            return
        reply = dns.message.make_response(query)
        reply.flags |= dns.flags.RA
        if texts := self.zone.get((name, kind)):
            reply.answer.append(dns.rrset.from_text_list(question.name, 300, "IN", kind, texts))
        elif name not in {known for known, _ in self.zone}:
            reply.set_rcode(dns.rcode.NXDOMAIN)
        self._transport.sendto(reply.to_wire(), addr)


@asynccontextmanager
async def name_server(zone: Zone, silent: Sequence[str] = ()) -> AsyncGenerator[NameServer]:
    """Answer on a free port of 127.0.0.1 until the block ends."""
    server = NameServer(zone, frozenset(silent))
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: server, local_addr=("127.0.0.1", 0))
    try:
        yield server
    finally:
        transport.close()
