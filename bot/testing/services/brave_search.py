"""Brave Search, from https://api-dashboard.search.brave.com/app/documentation/web-search."""

from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.testing.services.vendor import Vendor, VendorCall

_PARAMETERS = {
    "q",
    "count",
    "offset",
    "country",
    "search_lang",
    "text_decorations",
    "freshness",
    "safesearch",
}
_MOST_COUNT = 20


@dataclass
class BraveSearch(Vendor):
    """Brave Search: every query returns `results`, at most `count` of them."""

    results: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    async def answer(self, call: VendorCall) -> web.Response:
        if (call.method, call.path) != ("GET", "/res/v1/web/search"):
            return _error(404, "NOT_FOUND", "no such endpoint")
        if call.headers.get("x-subscription-token") != self.key:
            return _error(
                422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid."
            )
        query, count = call.query.get("q", ""), call.query.get("count", "20")
        sound = (
            call.query.keys() <= _PARAMETERS and 0 < len(query) <= 400 and len(query.split()) <= 50
        )
        if not sound or not count.isdigit() or not 1 <= int(count) <= _MOST_COUNT:
            return _error(422, "VALIDATION", "Unable to validate request parameter(s)")
        found = {"type": "search", "results": self.results[: int(count)]}
        answer: dict[str, Any] = {"type": "search", "query": {"original": query}}
        return web.json_response({**answer, "web": found} if self.results else answer)


def _error(status: int, code: str, detail: str) -> web.Response:
    error = {"id": "e1", "status": status, "code": code, "detail": detail}
    return web.json_response({"type": "ErrorResponse", "error": error, "time": 0}, status=status)
