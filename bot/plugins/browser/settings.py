"""`browser:` in bellhop.yaml: whether agents have a browser, which one, and how far it may go."""

from urllib.parse import urlsplit

from pydantic import field_validator

from bot.plugin.plugin import Section


class BrowserSettings(Section):
    """A real browser for agents; off by default.

    Needs the package extra `bellhop-assistant[browser]`, and Chromium here or an endpoint.
    """

    enabled: bool = False
    """Whether agents have a browser (docs/browser.md).

    It needs `bellhop-assistant[browser]` and Chromium.
    """
    chromium: str = ""
    """Path of Chromium or Chrome, or the DevTools endpoint of one that runs elsewhere, such as
    `http://127.0.0.1:9222`; empty: the first one on PATH.
    """
    sandbox: bool = True
    """Chromium's own sandbox. It does not work for root, nor in most containers."""

    @property
    def cdp_url(self) -> str:
        return self.chromium if _is_address(self.chromium) else ""

    @property
    def executable(self) -> str:
        return "" if _is_address(self.chromium) else self.chromium

    @field_validator("chromium")
    @classmethod
    def _a_program_or_an_endpoint(cls, text: str) -> str:
        if _is_address(text) and (
            urlsplit(text).scheme not in {"http", "https", "ws", "wss"}
            or not urlsplit(text).hostname
        ):
            raise ValueError("must be a path, or an address like http://127.0.0.1:9222")
        return text


def _is_address(text: str) -> bool:
    return "://" in text
