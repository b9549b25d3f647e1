"""Pages of one person at Notion, over its API: https://developers.notion.com/reference."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.plugin.services import ServiceClient, ServiceRequest, as_object, as_objects, by_token
from bot.plugin.tools import JsonObject, Person, ToolError
from bot.plugins.notion.limits import with_children
from bot.plugins.notion.to_markdown import plain_text

MOST_LISTED = 25
MOST_REQUESTS = 40
"""Requests for one page: blocks come 100 per request, and each nested list needs its own."""
_ID = re.compile(
    r"([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})(?=$|[?#/])"
)
_NEXT = by_token("start_cursor", "next_cursor")
_WITH_CONTENT_OF_ITS_OWN = frozenset({"child_page", "child_database"})


@dataclass(frozen=True)
class NotionPage:
    id: str
    title: str
    url: str

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> "NotionPage":
        titles = [as_object(one) for one in as_object(found.get("properties")).values()]
        title = next(
            (plain_text(one.get("title")) for one in titles if one.get("type") == "title"), ""
        )
        if found.get("object") == "database":
            title = plain_text(found.get("title"))
        return cls(str(found.get("id", "")), title or "(untitled)", str(found.get("url", "")))


@dataclass
class RequestsLeft:
    """The remaining requests for one page. `cut`: they ran out."""

    requests: int = MOST_REQUESTS
    cut: bool = field(default=False, init=False)


@dataclass(frozen=True)
class NotionPages:
    """The pages that a person's account may see and change."""

    client: ServiceClient

    async def find(
        self, person: Person, query: str, kind: Literal["page", "database"] = "page"
    ) -> tuple[list[NotionPage], bool]:
        """Pages with a matching title, the last edited first, and whether there are more."""
        body: JsonObject = {
            "filter": {"property": "object", "value": kind},
            "sort": {"timestamp": "last_edited_time", "direction": "descending"},
            "page_size": MOST_LISTED,
        }
        if query:
            body["query"] = query
        found = await self.client.call(
            person, ServiceRequest("POST", "/search", body=body, reads=True)
        )
        return [NotionPage.of(one) for one in as_objects(found["results"])], found[
            "has_more"
        ] is True

    async def get(self, person: Person, page_id: str) -> NotionPage:
        found = await self.client.get(person, f"/pages/{page_id}")
        return NotionPage.of(as_object(found.value))

    async def blocks(self, person: Person, block_id: str, left: RequestsLeft) -> list[JsonObject]:
        """A page's or block's descendants, until the requests are used up."""
        found: list[JsonObject] = []
        path = f"/blocks/{read_id(block_id)}/children"
        request = ServiceRequest("GET", path, {"page_size": 100})
        onward: ServiceRequest | None = request
        while onward is not None:
            if not left.requests:
                left.cut = True
                break
            left.requests -= 1
            answer = await self.client.call(person, onward)
            found += as_objects(answer["results"])
            onward = _NEXT(onward, answer)
        return [await self._whole(person, one, left) for one in found]

    async def create(
        self, person: Person, parent: str, title: str, blocks: Sequence[JsonObject]
    ) -> NotionPage:
        body: JsonObject = {
            "parent": {"page_id": parent},
            "properties": {"title": {"title": [{"type": "text", "text": {"content": title}}]}},
            "children": list(blocks),
        }
        made = await self.client.call(person, ServiceRequest("POST", "/pages", body=body))
        page = NotionPage.of(as_object(made.value))
        return NotionPage(page.id, title, page.url)

    async def append(self, person: Person, page_id: str, blocks: Sequence[JsonObject]) -> None:
        body: JsonObject = {"children": list(blocks)}
        await self.client.call(
            person, ServiceRequest("PATCH", f"/blocks/{page_id}/children", body=body)
        )

    async def _whole(self, person: Person, one: JsonObject, left: RequestsLeft) -> JsonObject:
        kind = str(one.get("type"))
        if (
            one.get("has_children") is not True
            or kind in _WITH_CONTENT_OF_ITS_OWN
            or kind not in one
        ):
            return one
        return with_children(one, await self.blocks(person, str(one.get("id", "")), left))


def read_id(text: str) -> str:
    """The id in an id or in the address of a page. Raises ToolError."""
    plain = text.strip().casefold()
    place = plain.split("?")[0].split("#")[0]
    found = _ID.search(place if place.startswith("http") else plain)
    if found is None or (not place.startswith("http") and found[0] != plain):
        raise ToolError(
            f"{text[:80]!r} is no id of a Notion page; take one from action list, or a page's "
            "address"
        )
    return "-".join(found.groups())
