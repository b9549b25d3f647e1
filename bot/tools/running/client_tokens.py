"""Bearer tokens that a program gets for its own id and secret (OAuth's client credentials).

RFC 6749, section 4.4. Tokens are kept in memory alone, until a minute before they end.
"""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Any, cast

from bot.domain.clock import Clock
from bot.errors import ToolError
from bot.log import register_secret
from bot.tools.definitions.http_template import basic
from bot.web.client import WebClient, WebRequest

log = logging.getLogger(__name__)

_EARLY_S = 60.0
_UNSAID_S = 300.0
"""For how long a token is used whose service does not say when it ends."""
_TIMEOUT_S = 20.0
_FORM = b"grant_type=client_credentials"


@dataclass(frozen=True)
class ClientLogin:
    """Where a token comes from, and for whom."""

    url: str
    name: str = field(repr=False)
    password: str = field(repr=False)


@dataclass
class _Kept:
    token: str = ""
    until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class ClientTokens:
    """One token for each login; calls at the same time ask the service once."""

    def __init__(self, client: WebClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._kept: dict[ClientLogin, _Kept] = {}

    async def token(self, login: ClientLogin, refused: str = "") -> str:
        """The token to send; a new one instead of `refused`. Raises ToolError."""
        kept = self._kept.setdefault(login, _Kept())
        async with kept.lock:
            now = self._clock.monotonic()
            if not kept.token or kept.token == refused or now >= kept.until:
                kept.token, lasts = await self._asked(login)
                kept.until = now + lasts
            return kept.token

    async def _asked(self, login: ClientLogin) -> tuple[str, float]:
        headers = {
            "Authorization": basic(login.name, login.password),
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }
        request = WebRequest("POST", login.url, headers, _FORM, timeout_s=_TIMEOUT_S, follow=False)
        answer = await self._client.fetch(request)
        try:
            said: Any = answer.json()
        except ValueError:
            said = None
        found = cast("dict[str, Any]", said) if isinstance(said, dict) else {}
        token, lasts = found.get("access_token"), found.get("expires_in")
        if answer.status != 200 or not isinstance(token, str) or not _sendable(token):
            log.warning("url=<%s>, status=<%d> | no token was given", login.url, answer.status)
            raise ToolError(
                f"the service gave no token to this installation (HTTP {answer.status}). Go on "
                "without it, and tell the person that its operator must look"
            )
        register_secret(token)
        seconds = float(lasts) if isinstance(lasts, int | float) else _UNSAID_S
        return token, max(seconds - _EARLY_S, 0.0)


def _sendable(token: str) -> bool:
    return bool(token) and token.isascii() and token.isprintable() and " " not in token
