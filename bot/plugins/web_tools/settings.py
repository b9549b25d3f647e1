"""`web_tools:` in bellhop.yaml: the services behind web_search and web_scrape."""

from typing import Annotated

from pydantic import AfterValidator

from bot.plugin.plugin import Section
from bot.plugin.services import checked_base_url

BRAVE_KEY = "BRAVE_API_KEY"
FIRECRAWL_KEY = "FIRECRAWL_API_KEY"
BaseUrl = Annotated[str, AfterValidator(checked_base_url)]


class WebToolSettings(Section):
    """The services that search and read the web. Their keys are in .env."""

    brave_url: BaseUrl = "https://api.search.brave.com"
    """Where web_search asks, see docs/web.md."""
    firecrawl_url: BaseUrl = "https://api.firecrawl.dev"
    """Where web_scrape asks; a Firecrawl of your own works as well."""
