"""The connector "notion": notion_read and notion_write.

Others wrote the text of pages, and its origin says so.

A row of a database is a page with properties. https://developers.notion.com/reference:
retrieve-a-database, post-database-query, property-object.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from bot.plugin.services import (
    WORKS_IN_ACCOUNT,
    ServiceClient,
    ServiceConnector,
    ServiceRefused,
    ServiceRequest,
    as_object,
    as_objects,
    by_token,
    reading_tool,
)
from bot.plugin.tools import (
    KIND_MARK,
    MARK,
    JsonObject,
    NativeTool,
    Noun,
    Person,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolResult,
    Translations,
    Usable,
    titled,
)
from bot.plugins.notion.limits import batches, count, fitted
from bot.plugins.notion.pages import NotionPage, NotionPages, RequestsLeft, read_id
from bot.plugins.notion.to_blocks import blocks_of
from bot.plugins.notion.to_markdown import markdown_of, plain_text

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


SHOWN_CHARS = 12_000
_GAP = "\n\n"
"""Separates the blocks of a page."""
CONTENT_CHARS = 30_000
TITLE_CHARS = 500
_ID_CHARS = 500

PageId = Annotated[str | None, Field(max_length=_ID_CHARS)]
TargetPage = Annotated[
    str | None,
    Field(max_length=_ID_CHARS, json_schema_extra={MARK: True, KIND_MARK: "notion_page"}),
]


_MAKE = Phrase("make the Notion page {title}")
_ADD = Phrase("add to a Notion page: {what}")


class NotionReadArguments(ToolArguments):
    """A search for pages by title, or one page."""

    action: Literal["list", "read"]
    pageId: PageId = Field(default=None, description="read: its id or address.")  # noqa: N815 - published
    query: str | None = Field(
        default=None,
        max_length=300,
        description="list: words of the title; read: only parts with them.",
    )


class NotionWriteArguments(ToolArguments):
    """A new page, or an addition to an existing one."""

    action: Literal["create", "append"]
    title: str | None = Field(default=None, max_length=TITLE_CHARS, description="create")
    parentPageId: TargetPage = Field(default=None, description="create: below which page.")  # noqa: N815 - published
    pageId: TargetPage = Field(default=None, description="append: at the end of which page.")  # noqa: N815
    content: str | None = Field(default=None, max_length=CONTENT_CHARS, description="Markdown.")


@dataclass(frozen=True)
class _Draft:
    """Markdown, already converted to the requests that will write it."""

    batches: tuple[list[JsonObject], ...]
    changed: tuple[str, ...]

    @property
    def blocks(self) -> int:
        return sum(count(batch) for batch in self.batches)


class NotionTools:
    """The two tools over one client."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client
        self._pages = NotionPages(client)
        self._databases = NotionDatabases(client)
        self._origin = client.service.origin

    def read_tool(self) -> NativeTool[Any]:
        return reading_tool(self._client, "notion_read", NotionReadArguments, self._read)

    def write_tool(self) -> NativeTool[Any]:
        return NativeTool(
            "notion_write",
            NotionWriteArguments,
            self._write,
            acts=True,
            check=self._check,
            tells=self._tell,
            doing=WORKS_IN_ACCOUNT,
            deed=ToolDeed(Noun.PAGE, "title"),
        )

    async def _check(self, _: ToolContext, arguments: NotionWriteArguments) -> None:
        """What the fields alone say."""
        match arguments.action:
            case "create":
                if not arguments.title or not arguments.parentPageId:
                    raise ToolError("create needs title and parentPageId")
                if arguments.pageId:
                    raise ToolError("create takes no pageId; leave it out, or append to that page")
                read_id(arguments.parentPageId)
            case "append":
                if not arguments.pageId or not arguments.content:
                    raise ToolError("append needs pageId and content")
                if arguments.title or arguments.parentPageId:
                    raise ToolError(
                        "append takes no title and no parentPageId; leave them out, or create "
                        "a page"
                    )
                read_id(arguments.pageId)

    async def _tell(self, _: ToolContext, arguments: NotionWriteArguments) -> Translations:
        if arguments.action == "create":
            return _MAKE.filled(title=titled(arguments.title or ""))
        return _ADD.filled(what=titled(arguments.content or "", 300))

    async def _read(self, context: ToolContext, arguments: NotionReadArguments) -> ToolResult:
        if arguments.action == "list":
            return await self._list(context, arguments.query or "")
        if not arguments.pageId:
            raise ToolError("read needs pageId; find it with action list")
        page_id = read_id(arguments.pageId)
        try:
            page = await self._pages.get(context.person, page_id)
        except ServiceRefused as refusal:
            database = await self._databases.get(context.person, page_id, refusal)
            return await self._rows(context, database, arguments.query or "")
        left = RequestsLeft()
        blocks = await self._pages.blocks(context.person, page.id, left)
        text = await asyncio.to_thread(markdown_of, blocks)
        window = _window(text.split(_GAP), arguments.query or "", "part of the page", _GAP)
        shown = f"# {page.title}\n{page.url}\n\n{window}"
        if left.cut:
            shown += (
                "\n\n[The page is longer: what follows, and some of what is nested, was not read.]"
            )
        return ToolResult(shown, origin=self._origin, summary=f"Notion page: {page.title[:60]}")

    async def _rows(self, context: ToolContext, database: NotionDatabase, query: str) -> ToolResult:
        rows, more = await self._databases.rows(context.person, database)
        columns = ", ".join(f"{name} ({kind})" for name, kind in database.columns.items())
        lines = [row_text(row) for row in rows]
        left = f"\n\n[Only the first {len(rows)} rows were read.]" if more else ""
        shown = (
            f"# {database.title}\n{database.url}\n\nA database with the columns {columns}.\n\n"
            f"{_window(lines, query, 'row of the database')}{left}"
        )
        return ToolResult(
            shown, origin=self._origin, summary=f"Notion database: {database.title[:60]}"
        )

    async def _list(self, context: ToolContext, query: str) -> ToolResult:
        pages, more = await self._pages.find(context.person, query)
        databases, further = await self._pages.find(context.person, query, "database")
        told: JsonObject = {"pages": [_shown(page) for page in pages]}
        if databases:
            told["databases"] = [_shown(one) for one in databases]
        if more or further:
            told["more"] = "There are more; give words of the title as query."
        if not pages and not databases:
            told["note"] = (
                "No page fits. The person chooses at Notion which pages the connection may see."
            )
        return ToolResult(_json(told), origin=self._origin, summary=f"{len(pages)} Notion pages")

    async def _write(self, context: ToolContext, arguments: NotionWriteArguments) -> ToolResult:
        # Everything is checked before the first request: a person would have to undo a
        # half-finished call by hand.
        await self._check(context, arguments)
        text = arguments.content or ""
        if arguments.action == "create":
            title, parent = arguments.title or "", read_id(arguments.parentPageId or "")
            return await self._create(context, title, parent, text)
        page = NotionPage(read_id(arguments.pageId or ""), "", "")
        return await self._append(context, page, await asyncio.to_thread(_drafted, text))

    async def _create(
        self, context: ToolContext, title: str, parent: str, content: str | None
    ) -> ToolResult:
        draft = await asyncio.to_thread(_drafted, content or "")
        first, *_ = draft.batches or ([],)
        try:
            page = await self._pages.create(context.person, parent, title, first)
        except ServiceRefused as refusal:  # nothing was written
            database = await self._databases.get(context.person, parent, refusal)
            page = await self._databases.add_row(context.person, database, title, first)
        return await self._append(context, page, draft, done=1)

    async def _append(
        self, context: ToolContext, page: NotionPage, draft: _Draft, done: int = 0
    ) -> ToolResult:
        """Write the batches, starting with number `done`."""
        told = {name: value for name, value in _shown(page).items() if value}
        rest = draft.batches[done:]
        for number, batch in enumerate(rest):
            try:
                await self._pages.append(context.person, page.id, batch)
            except ToolError as error:
                if not done and not number:
                    raise
                left = [one for later in rest[number:] for one in later]
                told["written"] = f"{draft.blocks - count(left)} of {draft.blocks} blocks"
                told["failed"] = f"{error} Append what is missing, from here on:"
                told["missing_from"] = markdown_of(left[:1])[:300]
                return ToolResult(_json(told), is_error=True, origin=self._origin)
        told["blocks"] = draft.blocks
        if draft.changed:
            told["changed"] = list(draft.changed)
        summary = (
            f"Notion page: {page.title[:60]}"
            if page.title
            else f"{draft.blocks} blocks on a Notion page"
        )
        return ToolResult(_json(told), origin=self._origin, summary=summary)


def _drafted(content: str) -> _Draft:
    converted = blocks_of(content)
    blocks, changed = fitted(converted.blocks)
    return _Draft(tuple(batches(blocks)), (*converted.changed, *changed))


def _shown(page: NotionPage) -> JsonObject:
    return {"id": page.id, "title": page.title, "url": page.url}


def _window(parts: Sequence[str], query: str, what: str, gap: str = "\n") -> str:
    """The parts that contain any word of the query, or all parts; as much as fits."""
    text = gap.join(parts)
    if words := query.casefold().split():
        fitting = [part for part in parts if any(word in part.casefold() for word in words)]
        left_out = f"{gap}[…]{gap}" if gap == _GAP else gap
        text = left_out.join(fitting) or f"[No {what} holds any of these words.]"
    if len(text) <= SHOWN_CHARS:
        return text or "[It is empty.]"
    left = len(text) - SHOWN_CHARS
    return (
        f"{text[:SHOWN_CHARS]}\n\n[{left:,} more characters. Give a query to see the parts that "
        "hold its words.]"
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


class NotionConnector(ServiceConnector):
    """Pages of Notion, for people who connected it."""

    id = "notion"
    service = "notion"

    def __init__(self, usable: Usable, notion: ServiceClient) -> None:
        tools = NotionTools(notion)
        super().__init__(usable, tools.read_tool(), tools.write_tool())
