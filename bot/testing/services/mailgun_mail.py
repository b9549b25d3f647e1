"""Mailgun, from https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages.

It has no idempotency keys, so a repeated call sends a mail twice.
"""

import base64
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from aiohttp import web

from bot.testing.services.vendor import Vendor, VendorCall


@dataclass
class MailgunMail(Vendor):
    """Mailgun: `sent` holds each outgoing mail."""

    domain: str = "mg.example.org"
    sent: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    async def answer(self, call: VendorCall) -> web.Response:
        basic = "Basic " + base64.b64encode(f"api:{self.key}".encode()).decode()
        if call.headers.get("authorization") != basic:
            return web.Response(text="Forbidden", status=401)
        if (call.method, call.path) == ("GET", f"/v3/domains/{self.domain}"):
            return web.json_response({"domain": {"name": self.domain, "state": "active"}})
        if (call.method, call.path) != ("POST", f"/v3/{self.domain}/messages"):
            return web.json_response({"message": "Domain not found"}, status=404)
        form = {name: values[0] for name, values in parse_qs(call.body.decode()).items()}
        if not {"from", "to", "subject", "text"} <= form.keys() or "@" not in form["to"]:
            return web.json_response({"message": "to parameter is not a valid address"}, status=400)
        self.sent.append(form)
        return web.json_response(
            {"id": f"<{len(self.sent)}@{self.domain}>", "message": "Queued. Thank you."}
        )
