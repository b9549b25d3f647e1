"""Brave Search (https://api-dashboard.search.brave.com/app/documentation/web-search)."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel

from bot.plugin.plugin import Clock
from bot.plugin.services import Call, KeyedService, WebClient
from bot.plugins.web_tools.settings import BRAVE_KEY

RESULTS = 5
QUERY_CHARS = 400
QUERY_WORDS = 50
_TEXT_CHARS = 500
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,80}>")
_URL = re.compile(r"https?://\S{1,2000}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class _Result(BaseModel):
    title: str = ""
    url: str = ""
    description: str = ""
    page_age: str | None = None


class _Results(BaseModel):
    results: list[_Result] = []


class _Answer(BaseModel):
    web: _Results | None = None


@dataclass(frozen=True)
class SearchHit:
    """One result. `date` is the day of the page (ISO 8601), empty where Brave knows none."""

    title: str
    url: str
    description: str
    date: str = ""

    def to_json(self) -> dict[str, str]:
        told = {"title": self.title, "url": self.url, "description": self.description}
        return {**told, "date": self.date} if self.date else told


def brave(
    base_url: str, secret: Callable[[str], str], web: WebClient, clock: Clock
) -> KeyedService:
    """The service with its key, which is read at each call."""
    return KeyedService(
        "Brave Search",
        base_url,
        BRAVE_KEY,
        lambda: {"X-Subscription-Token": secret(BRAVE_KEY)},
        web,
        clock,
        refusing_key=frozenset({"SUBSCRIPTION_TOKEN_INVALID"}),
    )


async def search(service: KeyedService, query: str, count: int = RESULTS) -> list[SearchHit]:
    """The best results. Raises ServiceError."""
    asked = {"q": query, "count": str(count), "text_decorations": "false"}
    answer = await service.ask(Call("GET", "/res/v1/web/search", query=asked), _Answer)
    return [
        _hit(one) for one in (answer.web.results if answer.web else []) if _URL.fullmatch(one.url)
    ][:count]


def _hit(result: _Result) -> SearchHit:
    dated = _DATE.match(result.page_age or "")
    return SearchHit(
        _plain(result.title), result.url, _plain(result.description), dated[0] if dated else ""
    )


def _plain(value: str) -> str:
    """The text without tags and entities, on one line."""
    return " ".join(html.unescape(_TAG.sub("", value)).split())[:_TEXT_CHARS]
