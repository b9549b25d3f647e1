"""web_search, web_fetch and web_scrape: pages for everybody, and what needs a key of the operator.

Strangers wrote the text that they return, and its origin says so.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Annotated, Any
from urllib.parse import unquote, urlsplit

from pydantic import Field

from bot.plugin.files import DocumentError, DocumentReader, RawDocument
from bot.plugin.plugin import Check, Given, Lacking, Parts, Plugin, Secret, Setup
from bot.plugin.readers import FileReaders
from bot.plugin.services import (
    Call,
    KeyedService,
    Page,
    Pages,
    ServiceError,
    WebClient,
    WebError,
    WebRefused,
    WebResponse,
    key_check,
    parse_target,
    told_to_model,
)
from bot.plugin.tools import (
    ALWAYS,
    MARK,
    NEVER,
    NativeConnector,
    NativeTool,
    Origin,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolRegistration,
    ToolResult,
    Trust,
    raised_as,
)
from bot.plugins.web_tools.brave import QUERY_CHARS, QUERY_WORDS, brave, search
from bot.plugins.web_tools.firecrawl import firecrawl, scrape
from bot.plugins.web_tools.settings import BRAVE_KEY, FIRECRAWL_KEY, WebToolSettings

_SEARCHING = Phrase("Searching the web")
_READING = Phrase("Reading a web page")

WINDOW_CHARS = 12_000
"""Characters of a page's text in one result; `start` gives the rest."""
URL_CHARS = 2_000
READING_S = 45.0
"""For a document of the web, within the time of the tool."""

Url = Annotated[str, Field(min_length=1, max_length=URL_CHARS, json_schema_extra={MARK: "url"})]


class WebSearchArguments(ToolArguments):
    """The words to look for."""

    query: str = Field(min_length=1, max_length=QUERY_CHARS)


class FetchArguments(ToolArguments):
    """A page, starting at a character."""

    url: Url
    start: int = Field(default=0, ge=0, description="Go on from this character.")


class ScrapeArguments(ToolArguments):
    """A page."""

    url: Url


class WebConnector(NativeConnector):
    """Pages for everybody; searching and scraping if a service's key is set. Stores nothing."""

    id = "web"
    skills = Path(__file__).parent / "skills"

    def __init__(
        self,
        web: WebClient,
        brave: KeyedService,
        firecrawl: KeyedService,
        secret: Callable[[str], str],
        readers: FileReaders,
    ) -> None:
        """`secret` gives the keys of the two services."""
        super().__init__()
        self._web, self._brave, self._firecrawl = web, brave, firecrawl
        self._pages = Pages(
            web, documents=partial(_document_text, DocumentReader(READING_S, readers=readers))
        )
        reads = partial(NativeTool[Any], reads_outside=True, doing=_READING)
        searches = partial(reads, doing=_SEARCHING, same_for_all=True)
        tools = (
            (reads("web_fetch", FetchArguments, self._fetch, same_for_all=True), True),
            (
                searches("web_search", WebSearchArguments, self._search),
                bool(secret(brave.key_name)),
            ),
            (
                reads("web_scrape", ScrapeArguments, self._scrape),
                bool(secret(firecrawl.key_name)),
            ),
        )
        self._registrations = [
            ToolRegistration([tool], ALWAYS if there else NEVER) for tool, there in tools
        ]

    def registrations(self) -> Sequence[ToolRegistration]:
        return self._registrations

    async def _search(self, context: ToolContext, arguments: WebSearchArguments) -> ToolResult:
        query = " ".join(arguments.query.split()[:QUERY_WORDS])
        try:
            hits = await search(self._brave, query)
        except ServiceError as error:
            return told_to_model(error, context.call.name)
        told = json.dumps([hit.to_json() for hit in hits], ensure_ascii=False)
        content = told if hits else "[]\nNothing was found; use fewer or other words."
        return _external(context, content, f"{len(hits)} results for “{query[:60]}”")

    async def _fetch(self, context: ToolContext, arguments: FetchArguments) -> ToolResult:
        page = await self._pages.read(arguments.url, lambda host: _may_reach(context, host))
        return _page(context, page, arguments.start, goes_on=True)

    async def _scrape(self, context: ToolContext, arguments: ScrapeArguments) -> ToolResult:
        # The service opens the address, and it may run inside the operator's network.
        await self._web.check(arguments.url)
        host = parse_target(arguments.url).host
        if not _may_reach(context, host):
            raise WebRefused(
                f"{host} is not among the hosts that may be reached now; it was not contacted"
            )
        try:
            page = await scrape(self._firecrawl, arguments.url)
        except ServiceError as error:
            return told_to_model(error, context.call.name)
        return _page(context, page, 0, goes_on=False)


def _may_reach(context: ToolContext, host: str) -> bool:
    return all(limit.allows_host(host) for limit in context.confinements)


def _page(context: ToolContext, page: Page, start: int, *, goes_on: bool) -> ToolResult:
    """The page's text with the facts for a citation: title, address, date.

    `goes_on`: a further call can begin where this text ends.
    """
    if start and start >= len(page.text):
        raise ToolError(f"the page has {len(page.text):,} characters; start must be less")
    shown = page.text[start : start + WINDOW_CHARS]
    left = len(page.text) - start - len(shown)
    head = [
        *([f"Title: {page.title}"] if page.title else []),
        f"URL: {page.url}",
        f"Date: {page.date or 'not stated'}",
        *([f"Author: {page.author}"] if page.author else []),
    ]
    lines = [
        *head,
        "",
        shown.strip() or "(the page has no text that can be read without a browser)",
    ]
    if left:
        where = f"; go on with start={start + len(shown)}" if goes_on else ""
        lines.append(f"[{left:,} more characters{where}]")
    if page.cut:
        lines.append("[the page was longer than may be read; its end is missing]")
    return _external(context, "\n".join(lines), f"read {page.title[:60] or page.url[:80]}")


def _external(context: ToolContext, content: str, summary: str) -> ToolResult:
    return ToolResult(
        content, origin=Origin(Trust.EXTERNAL, f"tool:{context.call.name}"), summary=summary
    )


async def _document_text(reader: DocumentReader, response: WebResponse) -> str:
    """The text of an answer that is a document, read like those that people send.

    Raises WebError, for what is no readable document too.
    """
    name = PurePosixPath(unquote(urlsplit(response.url).path)).name or response.url
    raw = RawDocument(name, response.body, response.media_type, response.url)
    size = f"{response.url} is {response.media_type or 'no text'} ({len(response.body):,} bytes"
    kind = reader.reader_of(raw)
    if kind is None or not kind.has_words:
        raise WebError(f"{size}), and only text and documents can be read")
    if response.cut:
        raise WebError(f"{size} and more), which is more than a page may have")
    with raised_as(WebError, DocumentError):
        read = await reader.whole(raw)
    if not read.text:
        raise WebError(f"{response.url} has no text: {read.note or 'it is empty'}")
    return f"{read.text}\n\n[{read.note}]" if read.note else read.text


_LACKING = (
    (BRAVE_KEY, "Web search", "finding pages on the web", "web_search"),
    (FIRECRAWL_KEY, "Web scraping", "pages that need scripts", "web_scrape"),
)


class WebToolsPlugin(Plugin[WebToolSettings]):
    name = "web_tools"
    title = "searching the web and reading its pages"
    settings = WebToolSettings
    secrets = (Secret(BRAVE_KEY), Secret(FIRECRAWL_KEY))
    secrets_note = "Searching the web (Brave), and reading pages that need a browser (Firecrawl)"
    skills_with = "web"

    def build(self, given: Given[WebToolSettings]) -> Parts:
        return Parts(
            connectors=(
                WebConnector(given.web, *_services(given), given.secret, given.reader.readers),
            )
        )

    def lacks(self, setup: Setup[WebToolSettings]) -> Sequence[Lacking]:
        return [
            Lacking(title, gives, frozenset({tool}), f"put {key} into .env", "docs/web.md", id=tool)
            for key, title, gives, tool in _LACKING
            if not setup.secret(key)
        ]

    async def examine(self, setup: Setup[WebToolSettings]) -> Sequence[Check]:
        """Each service whose key is there gets its cheapest request."""
        brave_at, firecrawl_at = _services(setup)
        found: list[Check] = []
        if setup.secret(BRAVE_KEY):
            found.append(await key_check(brave_at, lambda service: search(service, "bellhop", 1)))
        if setup.secret(FIRECRAWL_KEY):
            found.append(await key_check(firecrawl_at, Call("GET", "/v2/team/credit-usage")))
        return found


def _services(setup: Setup[Any]) -> tuple[KeyedService, KeyedService]:
    urls, secret, clock, at = setup.settings, setup.secret, setup.clock, setup.client_at
    return (
        brave(urls.brave_url, secret, at(urls.brave_url), clock),
        firecrawl(urls.firecrawl_url, secret, at(urls.firecrawl_url), clock),
    )
