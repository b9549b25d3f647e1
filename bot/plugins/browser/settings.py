"""`browser:` in bellhop.yaml: whether agents have a browser, which one, and how far it may go."""

from urllib.parse import urlsplit

from pydantic import field_validator, model_validator

from bot.plugin.plugin import Section


class BrowserSettings(Section):
    """A real browser for agents; off by default.

    Needs the package extra `bellhop-assistant[browser]`, and Chromium here or an endpoint.
    """

    enabled: bool = False
    """Whether agents have a browser (docs/browser.md).

    It needs `bellhop-assistant[browser]` and Chromium.
    """
    executable: str = ""
    """Path of Chromium or Chrome; empty: the first one on PATH."""
    cdp_url: str = ""
    """DevTools endpoint of a browser that runs elsewhere, such as `http://127.0.0.1:9222`."""
    proxy_host: str = "127.0.0.1"
    """This machine's address as the browser reaches the guard; change it only with `cdp_url`."""
    sandbox: bool = True
    """Chromium's own sandbox. It does not work for root, nor in most containers."""

    @field_validator("cdp_url")
    @classmethod
    def _an_endpoint(cls, url: str) -> str:
        if url and (
            urlsplit(url).scheme not in {"http", "https", "ws", "wss"} or not urlsplit(url).hostname
        ):
            raise ValueError("must be an address like http://127.0.0.1:9222")
        return url

    @model_validator(mode="after")
    def _one_browser(self) -> "BrowserSettings":
        if self.cdp_url and self.executable:
            raise ValueError("set `executable` or `cdp_url`, not both")
        return self
