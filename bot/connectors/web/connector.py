"""The connector "web"."""

from collections.abc import Callable, Sequence
from pathlib import Path

from bot.connectors.native import NativeConnector
from bot.connectors.web import brave, firecrawl
from bot.connectors.web.settings import WebToolSettings
from bot.connectors.web.tools import WebTools
from bot.domain.clock import Clock
from bot.knowledge.reading import DocumentReader
from bot.knowledge.web_documents import WebDocuments
from bot.tools.native.registry import ALWAYS, NEVER, ToolRegistration
from bot.web.client import WebClient
from bot.web.pages import Pages
from bot.web.service import service_client
from bot.web.settings import WebSettings

READING_S = 45.0
"""For a document of the web, within the time of the tool."""


class WebConnector(NativeConnector):
    """Pages for everybody; searching and scraping if a service's key is set.

    Stores nothing.
    """

    id = "web"
    skills = Path(__file__).parent / "skills"

    def __init__(
        self,
        web: WebClient,
        clock: Clock,
        secret: Callable[[str], str | None] = lambda _name: None,
        settings: WebToolSettings | None = None,
        limits: WebSettings | None = None,
    ) -> None:
        """`secret` gives the keys of the services; `limits` are those of every request."""
        settings, limits = settings or WebToolSettings(), limits or WebSettings()
        tools = WebTools(
            web,
            Pages(web, documents=WebDocuments(DocumentReader(READING_S)).text),
            brave.brave(
                settings.brave_url, secret, service_client(limits, settings.brave_url), clock
            ),
            firecrawl.firecrawl(
                settings.firecrawl_url,
                secret,
                service_client(limits, settings.firecrawl_url),
                clock,
            ),
        )
        super().__init__()
        self._registrations = (
            ToolRegistration([tools.fetch_tool()]),
            ToolRegistration([tools.search_tool()], ALWAYS if secret(brave.KEY) else NEVER),
            ToolRegistration([tools.scrape_tool()], ALWAYS if secret(firecrawl.KEY) else NEVER),
        )

    def registrations(self) -> Sequence[ToolRegistration]:
        return self._registrations
