"""Signatures of Resend's webhooks.

See https://docs.svix.com/receiving/verifying-payloads/how-manual.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime

ID, TIMESTAMP, SIGNATURE = "svix-id", "svix-timestamp", "svix-signature"
PREFIX = "whsec_"
_MOST_SIGNATURES = 10


def signature_of(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    """One signature as the header holds it. Raises ValueError for an invalid secret."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error:
        raise ValueError(
            "the signing secret is not the one that Resend shows: it begins with whsec_"
        ) from None
    signed = f"{message_id}.{timestamp}.".encode("utf-8", "replace") + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


_SKEW_S = 300
"""How far the time of a notice may be off: Resend's signatures are meant for five minutes."""


def is_signed(secret: str, headers: Mapping[str, str], body: bytes, now: datetime) -> bool:
    """Whether one of the signatures is right and the time is near `now`.

    Raises ValueError as `signature_of`.
    """
    message_id, timestamp = headers.get(ID, ""), headers.get(TIMESTAMP, "")
    if not message_id or not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    expected = signature_of(secret, message_id, timestamp, body).encode()
    given = headers.get(SIGNATURE, "").split()[:_MOST_SIGNATURES]
    right = any(hmac.compare_digest(expected, one.encode("utf-8", "replace")) for one in given)
    return right and abs(now.timestamp() - int(timestamp)) <= _SKEW_S
