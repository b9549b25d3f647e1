"""Reads a host's certificate, trusted or not."""

import asyncio
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, cast

from bot.errors import ToolError


@dataclass(frozen=True)
class Shown:
    """The result of a handshake. `problem`: why it isn't trusted; empty when it is."""

    protocol: str
    cipher: str
    fingerprint: str
    problem: str
    details: dict[str, Any]
    """As Python's `getpeercert` gives them; empty when the certificate can't be read."""


async def look_at(addresses: Sequence[str], host: str, port: int) -> Shown:
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


def described(shown: Shown, now: datetime) -> dict[str, Any]:
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
