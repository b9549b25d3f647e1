"""browser_navigate, browser_act, browser_extract and browser_observe.

Strangers wrote the text that they return.
"""

import json
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from bot.plugin.asking import CheapModel
from bot.plugin.files import FileSource
from bot.plugin.services import WebClient, WebRefused, parse_target
from bot.plugin.tools import (
    MARK,
    NativeTool,
    Phrase,
    ToolContext,
    ToolOutcome,
    ToolResult,
)
from bot.plugins.browser.acting import Acting
from bot.plugins.browser.downloads import PageDownloads
from bot.plugins.browser.reading import Reading
from bot.plugins.browser.results import external
from bot.plugins.browser.session import BrowserSession
from bot.plugins.browser.sessions import BrowserSessions
from bot.plugins.browser.snapshot import PageSnapshot
from bot.plugins.browser.wording import ranked

PAGE_CHARS = 12_000
"""Characters of a page's text in one result."""
OBSERVED = 60
"""Elements in one result."""
_READING = Phrase(
    "Reading a web page",
    "Ich lese eine Webseite",
    "Je lis une page web",
    "Leo una página web",
    "Leggo una pagina web",
)
_WORKING = Phrase(
    "Working on a web page",
    "Ich bediene eine Webseite",
    "J'utilise une page web",
    "Uso una página web",
    "Uso una pagina web",
)


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)


class NavigateArguments(_Arguments):
    """A page."""

    url: Annotated[str, Field(min_length=1, max_length=2_000, json_schema_extra={MARK: "url"})]


class ActArguments(_Arguments):
    """An action, in words."""

    action: str = Field(
        min_length=1, max_length=6_000, description="Such as: click the Sign in button."
    )


class ExtractArguments(_Arguments):
    """The facts to read from the page."""

    instruction: str = Field(min_length=1, max_length=2_000)


class ObserveArguments(_Arguments):
    """The elements to look for; all of them if empty."""

    instruction: str | None = Field(default=None, max_length=2_000)


@dataclass(frozen=True)
class BrowserTools:
    """The four tools over the sessions."""

    sessions: BrowserSessions
    web: WebClient
    model: CheapModel
    downloads: PageDownloads
    documents: FileSource | None = None
    """The files that may be uploaded."""

    def all(self) -> tuple[NativeTool[Any], ...]:
        return (
            NativeTool("browser_navigate", NavigateArguments, self._navigate, doing=_READING),
            NativeTool("browser_act", ActArguments, self._act, acts=True, doing=_WORKING),
            NativeTool("browser_extract", ExtractArguments, self._extract, doing=_READING),
            NativeTool("browser_observe", ObserveArguments, self._observe, doing=_READING),
        )

    async def _navigate(self, context: ToolContext, arguments: NavigateArguments) -> ToolResult:
        target = parse_target(arguments.url)
        if not all(limit.allows_host(target.host) for limit in context.confinements):
            raise WebRefused(
                f"{target.host} is not among the hosts that may be reached now; it was not "
                "contacted"
            )
        await self.web.check(str(target))
        async with self.sessions.use(context) as session:
            await session.navigate(str(target))
            saved, unit = await self.downloads.keep(context, session.happened.downloads)
            if not session.has_page:
                return external(
                    context, "\n".join(saved) or "the page is empty", "a download", unit
                )
            page = await self._shown(session)
            lines = [
                f"Title: {page.title}",
                f"URL: {page.url}",
                *saved,
                *session.happened.told,
                "",
                _page(page),
            ]
            return external(
                context, "\n".join(lines), f"opened {page.title[:60] or page.url[:80]}", unit
            )

    async def _act(self, context: ToolContext, arguments: ActArguments) -> ToolOutcome:
        acting = Acting(self.model, self.downloads, self.documents)
        async with self.sessions.use(context) as session:
            return await acting.act(context, session, arguments.action)

    async def _extract(self, context: ToolContext, arguments: ExtractArguments) -> ToolResult:
        async with self.sessions.use(context) as session:
            return await Reading(self.model).extract(context, session, arguments.instruction)

    async def _observe(self, context: ToolContext, arguments: ObserveArguments) -> ToolResult:
        async with self.sessions.use(context) as session:
            page = await self._shown(session)
        elements = page.elements()
        shown = ranked(elements, arguments.instruction) if arguments.instruction else elements
        rows = [
            {
                "description": f"{one.kind} {one.label}".strip(),
                "selector": one.ref,
                "method": one.method,
            }
            for one in shown[:OBSERVED]
        ]
        told = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
        left = len(elements) - len(rows)
        more = f"\n[{left} more; say in instruction what you look for]" if left else ""
        return external(context, told + more, f"{len(elements)} elements")

    async def _shown(self, session: BrowserSession) -> PageSnapshot:
        page = await session.snapshot()
        session.shown = {one.ref: (one.kind, one.label) for one in page.elements()}
        return page


def _page(page: PageSnapshot) -> str:
    text = page.text()
    if len(text) <= PAGE_CHARS:
        return text or "(the page shows no text)"
    return (
        f"{text[:PAGE_CHARS]}\n[{len(text) - PAGE_CHARS:,} more characters; ask with "
        "browser_extract]"
    )
