"""Firecrawl: pages that need a browser, as markdown.

See https://docs.firecrawl.dev/api-reference/endpoint/scrape.
"""

from collections.abc import Callable

from pydantic import BaseModel, Field

from bot.plugin.plugin import Clock
from bot.plugin.services import Call, KeyedService, Page, ServiceError, WebClient
from bot.plugins.web_tools.settings import FIRECRAWL_KEY

TIMEOUT_S = 45.0


class _About(BaseModel):
    url: str | None = None
    title: str | None = None
    status: int | None = Field(default=None, alias="statusCode")
    modified: str | None = Field(default=None, alias="modifiedTime")
    published: str | None = Field(default=None, alias="publishedTime")


class _Data(BaseModel):
    markdown: str | None = None
    metadata: _About = _About()


class _Answer(BaseModel):
    success: bool = False
    error: str = ""
    data: _Data | None = None


def firecrawl(
    base_url: str, secret: Callable[[str], str], web: WebClient, clock: Clock
) -> KeyedService:
    """The service with its key, which is read at each call."""
    return KeyedService(
        "Firecrawl",
        base_url,
        FIRECRAWL_KEY,
        lambda: {"Authorization": f"Bearer {secret(FIRECRAWL_KEY)}"},
        web,
        clock,
    )


async def scrape(service: KeyedService, url: str) -> Page:
    """The page as Firecrawl sees it.

    Raises ServiceError, also when the page itself answers with an error.
    """
    body = {
        "url": url,
        "formats": ["markdown"],
        "onlyMainContent": True,
        "timeout": int(TIMEOUT_S * 1000) - 5_000,
    }
    answer = await service.ask(Call("POST", "/v2/scrape", body=body, timeout_s=TIMEOUT_S), _Answer)
    if not answer.success or answer.data is None or answer.data.markdown is None:
        said = " ".join(answer.error.split())[:300]
        raise ServiceError("Firecrawl could not read this page; use another source", said=said)
    about = answer.data.metadata
    if about.status and about.status >= 400:
        raise ServiceError(f"the page answers with HTTP {about.status}; use another source")
    title = " ".join((about.title or "").split())[:300]
    date = (about.modified or about.published or "")[:10]
    return Page(about.url or url, title, date, "", answer.data.markdown)
