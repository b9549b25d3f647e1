"""A home with one connectable loopback service, and a person's browser that follows a link."""

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bot.testing.oauth_provider import OAuthProvider
from bot.web.client import WebClient, WebRequest
from bot.web.response import WebResponse
from bot.web.settings import WebSettings

LOOPBACK: dict[str, Any] = {"allow_private": ["127.0.0.1"]}
_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


def write_connecting_home(home: Path, provider: OAuthProvider, **sections: object) -> None:
    """Write bellhop.yaml and .env; `sections` are further sections of the settings."""
    settings = {
        **sections,
        "services": {provider.service.id: provider.addresses()},
        "web": LOOPBACK,
    }
    (home / "bellhop.yaml").write_text(json.dumps(settings))
    (home / ".env").write_text(f"BELLHOP_SECRET_KEY={'A' * 43}=\n{provider.secrets()}")
    (home / ".env").chmod(0o600)


class Browser:
    """Follows a link as a person: consents at the service, reads the page, presses the button."""

    def __init__(self) -> None:
        self._web = WebClient(WebSettings.model_validate(LOOPBACK))

    async def say_yes(self, url: str) -> str:
        """Consent; return the address that the service redirects the browser to."""
        answer = await self._web.fetch(WebRequest("GET", url, follow=False))
        if answer.status != 302:
            raise AssertionError(f"{answer.status}: {answer.text}")
        return answer.headers["location"]

    async def open(self, address: str) -> WebResponse:
        return await self._web.fetch(WebRequest("GET", address, follow=False))

    async def press(self, address: str, page: WebResponse) -> WebResponse:
        """Submit the form on the page at this address."""
        fields = {name: html.unescape(value) for name, value in _FIELD.findall(page.text)}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode(fields).encode()
        return await self._web.fetch(
            WebRequest("POST", address.partition("?")[0], headers, body, follow=False)
        )
