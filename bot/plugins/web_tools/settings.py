"""`web_tools:` in bellhop.yaml: the services behind web_search and web_scrape."""

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from bot.plugin.plugin import Section
from bot.plugin.services import checked_base_url

BRAVE_KEY = "BRAVE_API_KEY"
FIRECRAWL_KEY = "FIRECRAWL_API_KEY"
BaseUrl = Annotated[str, AfterValidator(checked_base_url)]


WebService: TypeAlias = Literal["brave", "firecrawl"]


class WebToolSettings(Section):
    """The services that search and read the web. Their keys are in .env."""

    addresses: dict[WebService, BaseUrl] = Field(default_factory=dict[WebService, str])
    """Where web_search (`brave`) and web_scrape (`firecrawl`) ask, if not at the usual addresses: a
    proxy, or a Firecrawl of your own.
    """

    @property
    def brave_url(self) -> str:
        return self.addresses.get("brave", "https://api.search.brave.com")

    @property
    def firecrawl_url(self) -> str:
        return self.addresses.get("firecrawl", "https://api.firecrawl.dev")
