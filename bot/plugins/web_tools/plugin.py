"""The web: pages for everybody, and what needs a key of the operator."""

from collections.abc import Sequence
from typing import Any

from bot.plugin.plugin import Check, Given, Lacking, Parts, Plugin, Secret, Setup
from bot.plugin.services import Call, KeyedService, key_check
from bot.plugins.web_tools.brave import brave, search
from bot.plugins.web_tools.connector import WebConnector
from bot.plugins.web_tools.firecrawl import firecrawl
from bot.plugins.web_tools.settings import BRAVE_KEY, FIRECRAWL_KEY, WebToolSettings

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
        return Parts(connectors=(WebConnector(given.web, *_services(given), given.secret),))

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
