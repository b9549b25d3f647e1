"""Databases at Notion: their columns, and their rows as text. A row is a page with properties.

https://developers.notion.com/reference: retrieve-a-database, post-database-query, property-object.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.plugin.services import (
    ServiceClient,
    ServiceRefused,
    ServiceRequest,
    as_object,
    as_objects,
    by_token,
)
from bot.plugin.tools import JsonObject, Person
from bot.plugins.notion.pages import NotionPage
from bot.plugins.notion.to_markdown import plain_text

MOST_ROWS = 500
_ROWS_AT_ONCE = 100
_VALUE_CHARS = 300
_NO_PAGE = frozenset({400, 404})
"""Notion's answer when a page is requested by a database's id."""
_NEXT = by_token("start_cursor", "next_cursor")


@dataclass(frozen=True)
class NotionDatabase:
    id: str
    title: str
    url: str
    columns: Mapping[str, str]
    """Property types by name."""

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> "NotionDatabase":
        columns = {
            name: str(as_object(one).get("type", ""))
            for name, one in as_object(found.get("properties")).items()
        }
        title = plain_text(found.get("title")) or "(untitled)"
        return cls(str(found.get("id", "")), title, str(found.get("url", "")), columns)

    @property
    def title_column(self) -> str:
        return next((name for name, kind in self.columns.items() if kind == "title"), "Name")


@dataclass(frozen=True)
class NotionDatabases:
    """The databases that a person's account may see and change."""

    client: ServiceClient

    async def get(
        self, person: Person, database_id: str, refusal: ServiceRefused
    ) -> NotionDatabase:
        """The database with the id of a page not found. Raises `refusal` if it is none either."""
        if refusal.status not in _NO_PAGE:
            raise refusal
        try:
            found = await self.client.get(person, f"/databases/{database_id}")
        except ServiceRefused as error:
            if error.status in _NO_PAGE:
                raise refusal from error
            raise
        return NotionDatabase.of(as_object(found.value))

    async def rows(self, person: Person, database: NotionDatabase) -> tuple[list[JsonObject], bool]:
        """Up to 500 rows in the database's order, and whether there are more."""
        path = f"/databases/{database.id}/query"
        request = ServiceRequest("POST", path, body={"page_size": _ROWS_AT_ONCE}, reads=True)
        found: list[JsonObject] = []
        onward: ServiceRequest | None = request
        while onward is not None and len(found) < MOST_ROWS:
            answer = await self.client.call(person, onward)
            found += as_objects(answer["results"])
            onward = _NEXT(onward, answer)
        return found, onward is not None

    async def add_row(
        self,
        person: Person,
        database: NotionDatabase,
        title: str,
        blocks: Sequence[JsonObject],
    ) -> NotionPage:
        texts = [{"type": "text", "text": {"content": title}}]
        body: JsonObject = {
            "parent": {"database_id": database.id},
            "properties": {database.title_column: {"title": texts}},
            "children": list(blocks),
        }
        made = await self.client.call(person, ServiceRequest("POST", "/pages", body=body))
        page = NotionPage.of(as_object(made.value))
        return NotionPage(page.id, title, page.url)


def row_text(row: JsonObject) -> str:
    """One row on a line: its title, its id, and its other columns."""
    page = NotionPage.of(row)
    values = {
        name: " ".join(value_text(as_object(one)).split())[:_VALUE_CHARS]
        for name, one in as_object(row.get("properties")).items()
        if as_object(one).get("type") != "title"
    }
    held = "; ".join(f"{name}: {value}" for name, value in values.items() if value)
    return f"- **{' '.join(page.title.split())}** ({page.id}){f' {held}' if held else ''}"


def value_text(value: Mapping[str, Any]) -> str:
    """The text of a property or of a part of one; empty if it has none."""
    kind = str(value.get("type", ""))
    held: Any = value.get(kind)
    read = _READ.get(kind)
    if read is not None:
        return read(held)
    return str(held) if isinstance(held, str | int | float) else ""


def _rollup(held: object) -> str:
    given = as_object(held)
    parts = as_objects(given.get("array"))
    return ", ".join(map(value_text, parts)) if parts else value_text(given)


def _linked(held: object) -> str:
    count = len(as_objects(held))
    return f"{count} linked" if count else ""


def _names(held: object) -> str:
    return ", ".join(map(_name, as_objects(held)))


def _name(held: object) -> str:
    given = as_object(held)
    return str(given.get("name") or given.get("id") or "")


def _texts(held: object, *names: str) -> list[str]:
    given = as_object(held)
    return [str(given[name]) if given.get(name) is not None else "" for name in names]


_READ: Mapping[str, Callable[[object], str]] = {
    **dict.fromkeys(("title", "rich_text"), plain_text),
    **dict.fromkeys(("select", "status", "created_by", "last_edited_by"), _name),
    **dict.fromkeys(("multi_select", "people", "files"), _names),
    **dict.fromkeys(("checkbox", "boolean"), lambda held: "yes" if held else "no"),
    "date": lambda held: " to ".join(filter(None, _texts(held, "start", "end"))),
    "unique_id": lambda held: "-".join(filter(None, _texts(held, "prefix", "number"))),
    "formula": lambda held: value_text(as_object(held)),
    "rollup": _rollup,
    "relation": _linked,
}
"""By type. Other types contain a text or a number, or nothing that could be shown."""
