"""Looks at hosts from this machine, within `web:`: their names, certificates, headers, ports."""

import asyncio
import json
import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from ipaddress import ip_address
from typing import Annotated, Any, cast

from pydantic import Field

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.services import WebClient, WebRequest, is_global_unicast, parse_target
from bot.plugin.tools import (
    MARK,
    NativeConnector,
    NativeTool,
    Origin,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolResult,
    Trust,
)
from bot.plugins.network.records import NameServers, RecordType, records_of

_CHECKING = Phrase("Checking the machine")

MOST_PORTS = 20
CONNECT_S = 3.0
HANDSHAKE_S = 10.0
_PAGE_BYTES = 64 * 1024

Host = Annotated[
    str,
    Field(
        min_length=1,
        max_length=253,
        description="Such as www.example.org.",
        json_schema_extra={MARK: "host"},
    ),
]
Port = Annotated[int, Field(ge=1, le=65535)]

WANTED = (
    ("strict-transport-security", "browsers may be led back to http"),
    ("content-security-policy", "scripts of others are not kept out"),
    ("x-content-type-options", "files may be run as another type than they have"),
    ("referrer-policy", "addresses are told to other sites"),
    ("permissions-policy", "camera, microphone and place are not switched off"),
)
TELLING = ("server", "x-powered-by", "x-aspnet-version", "x-generator")
MOST_CHARS = 500


def judged(headers: Mapping[str, str], scheme: str) -> dict[str, Any]:
    """The safety headers present, the risk of each missing one, and headers that leak facts."""
    present = {name: headers[name][:MOST_CHARS] for name, _ in WANTED if name in headers}
    missing = {name: what for name, what in WANTED if name not in headers}
    if scheme != "https":
        missing.pop("strict-transport-security", None)  # it means nothing over http
    framing = (
        "frame-ancestors" in headers.get("content-security-policy", "")
        or "x-frame-options" in headers
    )
    if not framing:
        missing["x-frame-options"] = "other sites may show it in a frame (or use frame-ancestors)"
    cookies = headers.get("set-cookie", "").lower()
    weak = [flag for flag in ("secure", "httponly", "samesite") if cookies and flag not in cookies]
    telling = {name: headers[name][:MOST_CHARS] for name in TELLING if name in headers}
    found: dict[str, Any] = {"present": present, "missing": missing}
    if weak:
        found["cookie_without"] = weak
    return {**found, "tells": telling} if telling else found


class LookupArguments(ToolArguments):
    """A name, or an address."""

    host: Host
    types: list[RecordType] = Field(
        default_factory=list[RecordType],
        max_length=len(RecordType),
        description="Records of the name in place of its addresses. SPF follows its includes and "
        "counts look-ups, DKIM tries the usual selectors, DMARC and CAA look upwards.",
    )


class CertificateArguments(ToolArguments):
    """An address that speaks TLS."""

    host: Host
    port: Port = 443


class HeadersArguments(ToolArguments):
    """A page."""

    url: str = Field(max_length=2_000, json_schema_extra={MARK: "url"})


class PortsArguments(ToolArguments):
    """The ports to check."""

    host: Host
    ports: list[Port] = Field(min_length=1, max_length=MOST_PORTS)


class NetworkConnector(NativeConnector):
    """Looks at hosts over the guarded client, which decides what may be contacted."""

    id = "network"

    def __init__(self, web: WebClient, name_servers: NameServers | None = None) -> None:
        self._web = web
        self._name_servers = name_servers or NameServers()
        look = partial(NativeTool[Any], doing=_CHECKING, same_for_all=True)
        super().__init__(
            look("dns_lookup", LookupArguments, self._lookup),
            look("tls_certificate", CertificateArguments, self._certificate),
            look("http_headers", HeadersArguments, self._headers),
            look("port_check", PortsArguments, self._ports),
        )

    async def _lookup(self, context: ToolContext, arguments: LookupArguments) -> ToolResult:
        host = _host(arguments.host)
        if arguments.types:
            return await self._records(context, host, arguments.types)
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(
                host, None, type=socket.SOCK_STREAM, flags=socket.AI_CANONNAME
            )
        except OSError as error:
            raise ToolError(
                f"{host} could not be found ({error.strerror or error}); check the name"
            ) from error
        addresses = list(dict.fromkeys(str(item[4][0]) for item in found))
        told = {
            "host": host,
            "canonical": next((item[3] for item in found if item[3]), host),
            "addresses": addresses,
        }
        told["inner"] = [
            one for one in addresses if not is_global_unicast(ip_address(one.partition("%")[0]))
        ]
        names: dict[str, str] = {}
        for one in addresses[:8]:
            with suppress(OSError, UnicodeError):
                name, _ = await loop.getnameinfo((one, 0), socket.NI_NAMEREQD)
                names[one] = name
        return _result(context, {**told, "names": names}, f"{host}: {len(addresses)} addresses")

    async def _records(
        self, context: ToolContext, host: str, types: Sequence[RecordType]
    ) -> ToolResult:
        if _is_address(host):
            raise ToolError(f"{host} is an address; only names have records")
        found = await records_of(await self._name_servers.asking(), host, types)
        told = {"host": host, **found.described()}
        return _result(context, told, f"{host}: {', '.join(types)} looked up")

    async def _certificate(
        self, context: ToolContext, arguments: CertificateArguments
    ) -> ToolResult:
        host = _host(arguments.host)
        addresses = await self._web.addresses(host, arguments.port)
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                shown = await _look_at(addresses, host, arguments.port)
        except TimeoutError:
            raise ToolError(
                f"{host}, port {arguments.port} did not answer within {HANDSHAKE_S:g} seconds"
            ) from None
        told = {"host": host, "port": arguments.port, **_described(shown, context.now)}
        return _result(context, told, f"{host}: {'trusted' if told['trusted'] else 'not trusted'}")

    async def _headers(self, context: ToolContext, arguments: HeadersArguments) -> ToolResult:
        def may_reach(host: str) -> bool:
            return all(limit.allows_host(host) for limit in context.confinements)

        request = WebRequest(
            "GET", arguments.url, max_bytes=_PAGE_BYTES, may_reach=may_reach, follow=False
        )
        response = await self._web.fetch(request)
        target = parse_target(arguments.url)
        told: dict[str, Any] = {"url": target.shown, "status": response.status}
        if location := response.headers.get("location"):
            told["redirects_to"] = location[:500]
        return _result(
            context,
            {**told, **judged(response.headers, target.scheme)},
            f"{target.shown} looked at",
        )

    async def _ports(self, context: ToolContext, arguments: PortsArguments) -> ToolResult:
        host = _host(arguments.host)
        ports = sorted(set(arguments.ports))
        addresses = await self._web.addresses(host, ports[0])
        states = await asyncio.gather(*(_state(addresses[0], port) for port in ports))
        told = {
            "host": host,
            "address": addresses[0],
            "ports": {str(p): s for p, s in zip(ports, states, strict=True)},
        }
        opened = sum(state == "open" for state in states)
        return _result(context, told, f"{host}: {opened} of {len(ports)} open")


async def _state(address: str, port: int) -> str:
    """open, closed (the host refused) or silent (nobody answered)."""
    try:
        async with asyncio.timeout(CONNECT_S):
            _, writer = await asyncio.open_connection(address, port)
    except TimeoutError:
        return "silent"
    except ConnectionRefusedError:
        return "closed"
    except OSError as error:
        return f"unreachable ({error.strerror or error})"
    writer.transport.abort()
    return "open"


def _host(text: str) -> str:
    """A host in its one spelling. Raises ToolError for anything else, also a whole address."""
    bare = text.removeprefix("[").removesuffix("]")
    spelled = f"[{bare}]" if ":" in bare else bare.removesuffix(".")
    if any(char in spelled for char in "/?#@"):
        raise ToolError(
            f"{text[:80]!r} is more than a host; write only the name, such as www.example.org"
        )
    return parse_target(f"https://{spelled}/").host


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _result(context: ToolContext, told: dict[str, Any], summary: str) -> ToolResult:
    """The text that hosts send about themselves is theirs, so it counts as external."""
    text = json.dumps(told, ensure_ascii=False)
    return ToolResult(
        text, origin=Origin(Trust.EXTERNAL, f"tool:{context.call.name}"), summary=summary
    )


@dataclass(frozen=True)
class Shown:
    """The result of a handshake. `problem`: why it isn't trusted; empty when it is."""

    protocol: str
    cipher: str
    fingerprint: str
    problem: str
    details: dict[str, Any]
    """As Python's `getpeercert` gives them; empty when the certificate can't be read."""


async def _look_at(addresses: Sequence[str], host: str, port: int) -> Shown:
    """Shake hands with the first address. Raises ToolError if it doesn't speak TLS."""
    trusting = ssl.create_default_context()
    try:
        return await _handshake(addresses[0], host, port, trusting, "")
    except ssl.SSLCertVerificationError as error:
        problem = error.verify_message or "it can't be verified"
    open_to_all = ssl.create_default_context()
    open_to_all.check_hostname = False
    open_to_all.verify_mode = ssl.CERT_NONE  # only to read it: nothing else is sent or trusted
    shown = await _handshake(addresses[0], host, port, open_to_all, problem)
    return await _with_details(shown, addresses[0], host, port)


async def _handshake(
    address: str, host: str, port: int, context: ssl.SSLContext, problem: str
) -> Shown:
    try:
        _, writer = await asyncio.open_connection(address, port, ssl=context, server_hostname=host)
    except ssl.SSLCertVerificationError:
        raise
    except ssl.SSLError as error:
        raise ToolError(
            f"{host}, port {port} speaks no TLS that can be read ({error.reason or error})"
        ) from error
    except OSError as error:
        raise ToolError(
            f"{host}, port {port} could not be reached ({error.strerror or error})"
        ) from error
    try:
        spoken = cast("ssl.SSLObject", writer.get_extra_info("ssl_object"))
        raw = spoken.getpeercert(binary_form=True) or b""
        cipher = spoken.cipher()
        details = cast("dict[str, Any]", spoken.getpeercert() or {})
        return Shown(
            spoken.version() or "", cipher[0] if cipher else "", sha256(raw).hexdigest(), problem,
            details or {"raw": raw},
        )  # fmt: skip
    finally:
        writer.transport.abort()


async def _with_details(shown: Shown, address: str, host: str, port: int) -> Shown:
    """Add details of an untrusted certificate, fetched again with itself as its authority."""
    own = ssl.create_default_context()
    own.check_hostname = False
    own.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    try:
        own.load_verify_locations(cadata=shown.details.get("raw", b""))
        found = await _handshake(address, host, port, own, shown.problem)
    except (
        ssl.SSLError,
        ValueError,
        ToolError,
    ):  # expired, or of a form that can't be its own authority
        return Shown(shown.protocol, shown.cipher, shown.fingerprint, shown.problem, {})
    return found


def _described(shown: Shown, now: datetime) -> dict[str, Any]:
    """For the model: issuer, names, last day, and whether the certificate is trusted."""
    details = shown.details
    told: dict[str, Any] = {"trusted": not shown.problem}
    if shown.problem:
        told["problem"] = shown.problem
    told |= {"protocol": shown.protocol, "cipher": shown.cipher, "sha256": shown.fingerprint}
    if "notAfter" in details:
        ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(details["notAfter"]), UTC)
        begins = datetime.fromtimestamp(ssl.cert_time_to_seconds(details["notBefore"]), UTC)
        told |= {
            "subject": _name(details.get("subject", ())),
            "issuer": _name(details.get("issuer", ())),
            "names": [value for _, value in details.get("subjectAltName", ())][:50],
            "valid_from": begins.isoformat(),
            "valid_until": ends.isoformat(),
            "days_left": (ends - now).days,
        }
    return told


def _name(parts: Sequence[Sequence[tuple[str, str]]]) -> str:
    fields = {key: value for part in parts for key, value in part}
    wanted = [fields[key] for key in ("commonName", "organizationName") if key in fields]
    return ", ".join(wanted) or ", ".join(fields.values())


class Network(Plugin[NoSettings]):
    name = "network"
    title = "names, certificates, headers and ports of hosts"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(NetworkConnector(given.web),))
