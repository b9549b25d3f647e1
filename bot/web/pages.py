"""Fetches a page and gives its readable text.

Pages are parsed in a process with limits (`bot.web.page_process`).
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.web.client import WebClient, WebRequest
from bot.web.limited_process import run_limited
from bot.web.response import WebError, WebResponse

log = logging.getLogger(__name__)

WALL_S = 20.0
"""Seconds for the process that reads a page, including its start."""
_OUTPUT_BYTES = 4_000_000
_AT_ONCE = 2
_HTML = frozenset({"", "text/html", "application/xhtml+xml"})
_TEXTUAL = (
    "text/",
    "application/json",
    "application/xml",
    "application/yaml",
    "application/x-yaml",
    "application/javascript",
    "application/x-ndjson",
)
_SNIFFED = 1_024


@dataclass(frozen=True)
class Page:
    """The text of a page.

    `url` is where it was in the end; `date` is ISO 8601, or empty where it states none.
    """

    url: str
    title: str
    date: str
    author: str
    text: str
    cut: bool = False
    """Whether the page was longer than a request reads."""


class Pages:
    """Reads pages; at most two at a time are parsed."""

    def __init__(
        self,
        web: WebClient,
        wall_s: float = WALL_S,
        documents: Callable[[WebResponse], Awaitable[str]] | None = None,
    ) -> None:
        """`documents` gives the text of an answer that is no text, or raises WebError."""
        self._web = web
        self._wall_s = wall_s
        self._documents = documents
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def read(self, url: str, may_reach: Callable[[str], bool] | None = None) -> Page:
        """Fetch and read.

        Raises WebError for what is no readable page, WebRefused for a forbidden address.
        """
        accept = {"Accept": "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.5"}
        response = await self._web.fetch(WebRequest("GET", url, accept, may_reach=may_reach))
        if response.status >= 400:
            raise WebError(
                f"{response.url} answers with HTTP {response.status} "
                f"{response.reason[:80]}".rstrip()
            )
        if not response.body.strip():
            return Page(response.url, "", "", "", "")
        if response.media_type in _HTML and not _is_binary(response.body):
            return await self._parsed(response)
        textual = response.media_type.startswith(_TEXTUAL) or response.media_type.endswith(
            ("+json", "+xml")
        )
        if not textual or _is_binary(response.body):
            if self._documents is not None:
                return Page(response.url, "", "", "", await self._documents(response))
            kind = response.media_type or "no text"
            raise WebError(
                f"{response.url} is {kind} ({len(response.body):,} bytes), and only text can be "
                "read"
            )
        return Page(response.url, "", "", "", response.text, response.cut)

    async def read_html(self, html: str) -> str:
        """The text of HTML that came by another way, such as in a mail. Raises WebError."""
        return (await self._extracted("", "utf-8", html.encode("utf-8", "replace")))["text"]

    async def read_mail(self, raw: bytes) -> str:
        """The text of a raw mail (MIME). Raises WebError."""
        return (await self._extracted("", "", raw, mail=True))["text"]

    async def _parsed(self, response: WebResponse) -> Page:
        charset = (
            response.headers.get("content-type", "")
            .lower()
            .partition("charset=")[2]
            .partition(";")[0]
        )
        found = await self._extracted(response.url, charset.strip(" \"'"), response.body)
        return Page(
            response.url,
            found["title"],
            found["date"],
            found["author"],
            found["text"],
            response.cut,
        )

    async def _extracted(
        self, url: str, charset: str, body: bytes, *, mail: bool = False
    ) -> Mapping[str, str]:
        request = json.dumps({"url": url, "charset": charset, "mail": mail}).encode() + b"\n" + body
        async with self._slots:
            output = await run_limited("bot.web.page_process", request, self._wall_s, _OUTPUT_BYTES)
        try:
            found = json.loads(output)
            return {name: str(found[name]) for name in ("title", "date", "author", "text")}
        except (ValueError, KeyError, TypeError):
            log.info("url=<%s>, bytes=<%d> | a page could not be parsed", url, len(body))
            raise WebError(
                f"{url or 'it'} could not be read within the limits of time and memory; use "
                "another source"
            ) from None


def _is_binary(body: bytes) -> bool:
    start = body[:_SNIFFED]
    return b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff"))
