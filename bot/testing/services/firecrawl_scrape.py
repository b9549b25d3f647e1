"""Firecrawl's scraping.

See https://docs.firecrawl.dev/api-reference/endpoint/scrape and …/endpoint/credit-usage.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.testing.services.vendor import Vendor, VendorCall

_FIELDS = {
    "url",
    "formats",
    "onlyMainContent",
    "timeout",
    "waitFor",
    "mobile",
    "maxAge",
    "headers",
    "parsers",
}


@dataclass
class FirecrawlScrape(Vendor):
    """Firecrawl: `pages` are markdown by URL; any other page answers with 404."""

    pages: dict[str, str] = field(default_factory=dict[str, str])

    async def answer(self, call: VendorCall) -> web.Response:
        if call.headers.get("authorization") != f"Bearer {self.key}":
            return web.json_response(
                {"success": False, "error": "Unauthorized: Invalid token"}, status=401
            )
        if (call.method, call.path) == ("GET", "/v2/team/credit-usage"):
            return web.json_response({"success": True, "data": {"remainingCredits": 500}})
        if (call.method, call.path) != ("POST", "/v2/scrape"):
            return web.json_response(
                {"success": False, "error": f"Cannot {call.method} {call.path}"}, status=404
            )
        body: dict[str, Any] = json.loads(call.body)
        if not body.keys() <= _FIELDS or not str(body.get("url")).startswith(
            ("http://", "https://")
        ):
            return web.json_response(
                {"success": False, "code": "BAD_REQUEST", "error": "Bad Request"}, status=400
            )
        url = str(body["url"])
        found = self.pages.get(url)
        about = {
            "title": "A page",
            "sourceURL": url,
            "url": url,
            "statusCode": 200 if found is not None else 404,
        }
        return web.json_response(
            {"success": True, "data": {"markdown": found or "", "metadata": about}}
        )
