"""Resend (https://resend.com/docs): sending, idempotency, errors, received mail, webhooks."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from aiohttp import web

from bot.plugins.mail.inbound import ID, SIGNATURE, TIMESTAMP, signature_of
from bot.testing.services.vendor import Vendor, VendorCall

_FIELDS = {
    "from",
    "to",
    "subject",
    "text",
    "html",
    "cc",
    "bcc",
    "reply_to",
    "headers",
    "tags",
    "attachments",
}
_MOST_KEY_CHARS = 256


@dataclass
class ResendMail(Vendor):
    """Resend: `sent` has outgoing mail once per idempotency key, `inbox` incoming mail by id.

    `sends_only`: the key may send and do nothing else.
    """

    sent: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    inbox: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    secret: str = "whsec_" + base64.b64encode(b"s" * 24).decode()
    sends_only: bool = False
    _keys: dict[str, tuple[bytes, str]] = field(default_factory=dict[str, tuple[bytes, str]])

    async def answer(self, call: VendorCall) -> web.Response:
        if call.headers.get("authorization") != f"Bearer {self.key}":
            return _error(401, "validation_error", "API key is invalid")
        match call.method, call.path.strip("/").split("/"):
            case "POST", ["emails"]:
                return self._send(call)
            case _ if self.sends_only:
                said = "This API key is restricted to only send emails"
                return _error(401, "restricted_api_key", said)
            case "GET", ["emails", "receiving", id_]:
                return self._received(id_)
            case "GET", ["domains"]:
                return web.json_response({"object": "list", "data": []})
            case _:
                return _error(404, "not_found", "The requested endpoint does not exist")

    def _send(self, call: VendorCall) -> web.Response:
        body: dict[str, Any] = json.loads(call.body)
        key = call.headers.get("idempotency-key", "")
        if len(key) > _MOST_KEY_CHARS:
            return _error(400, "invalid_idempotency_key", "The key must be between 1-256 chars")
        missing = [name for name in ("from", "to", "subject") if not body.get(name)]
        if missing or not body.keys() <= _FIELDS or not (body.get("text") or body.get("html")):
            return _error(422, "missing_required_field", f"Missing or unknown field: {missing}")
        if not all(_is_field(one) for one in body.get("headers", {}).items()):
            return _error(422, "validation_error", "A header is not one line of text")
        if key and (known := self._keys.get(key)):
            if known[0] != call.body:
                return _error(
                    409,
                    "invalid_idempotent_request",
                    "Same idempotency key used with another payload",
                )
            return web.json_response({"id": known[1]})
        id_ = f"00000000-0000-4000-8000-{len(self.sent):012}"
        self.sent.append(body)
        self._keys[key] = (call.body, id_)
        return web.json_response({"id": id_})

    def _received(self, id_: str) -> web.Response:
        if id_ not in self.inbox:
            return _error(404, "not_found", "Email not found")
        known: dict[str, Any] = {
            "object": "email",
            "id": id_,
            "text": None,
            "html": None,
            "headers": {},
            "attachments": [],
        }
        return web.json_response({**known, **self.inbox[id_]})

    def arrives(self, id_: str, **mail: Any) -> bytes:
        """Put a mail into the inbox; return the body of its webhook."""
        self.inbox[id_] = mail
        data = {
            "email_id": id_,
            "from": mail["from"],
            "to": mail["to"],
            "subject": mail.get("subject"),
        }
        return json.dumps(
            {"type": "email.received", "created_at": "2026-11-21T09:00:00Z", "data": data}
        ).encode()

    def signed(self, body: bytes, now: datetime, *, id_: str = "msg_1") -> Mapping[str, str]:
        """Return the headers of a Resend webhook, which also carry an older secret's signature."""
        timestamp = str(int(now.timestamp()))
        right = signature_of(self.secret, id_, timestamp, body)
        return {ID: id_, TIMESTAMP: timestamp, SIGNATURE: f"v1,b2xk {right}"}


def _is_field(field: tuple[str, Any]) -> bool:
    name, value = field
    return isinstance(value, str) and len(f"{name}: {value}") < 999 and value.isprintable()


def _error(status: int, name: str, message: str) -> web.Response:
    return web.json_response(
        {"statusCode": status, "name": name, "message": message}, status=status
    )
