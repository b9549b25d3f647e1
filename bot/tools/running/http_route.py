"""Runs request tools: fills the template, sends it, and formats the answer.

Some prove themselves with a token that they get for an id and a secret (RFC 6749, section 4.4).
"""

import asyncio
import json
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast
from urllib.parse import quote

from bot.domain.clock import Clock
from bot.domain.json_types import as_object
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import HttpImplementation, ToolDefinition, server_of
from bot.errors import ToolError
from bot.log import REDACTED, register_secret
from bot.tools.definitions.http_template import (
    STAND_IN,
    base_problem,
    basic,
    converts,
    fill,
    secrets_of,
    servers_of,
)
from bot.tools.permission.confinement import reaches
from bot.tools.running.output import ERROR
from bot.tools.settings import HttpToolSettings
from bot.web.client import WAIT_S, WebClient, WebRequest
from bot.web.response import WebResponse

_EARLY_S = 60.0
_UNSAID_S = 300.0
"""For how long a token is used whose service does not say when it ends."""
_TIMEOUT_S = 20.0
_FORM = b"grant_type=client_credentials"


@dataclass(frozen=True)
class _ClientLogin:
    """Where a token comes from, and for whom."""

    url: str
    name: str = field(repr=False)
    password: str = field(repr=False)


@dataclass
class _Kept:
    token: str = ""
    until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class _ClientTokens:
    """One token for each login; calls at the same time ask the service once.

    Tokens are kept in memory alone, until a minute before they end.
    """

    def __init__(self, client: WebClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._kept: dict[_ClientLogin, _Kept] = {}

    async def token(self, login: _ClientLogin, refused: str = "") -> str:
        """The token to send; a new one instead of `refused`. Raises ToolError."""
        kept = self._kept.setdefault(login, _Kept())
        async with kept.lock:
            now = self._clock.monotonic()
            if not kept.token or kept.token == refused or now >= kept.until:
                kept.token, lasts = await self._asked(login)
                kept.until = now + lasts
            return kept.token

    async def _asked(self, login: _ClientLogin) -> tuple[str, float]:
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
        found = as_object(said)
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


log = logging.getLogger(__name__)

_ERROR_CHARS = 2_000
_UNAUTHORIZED = 401
_BYTES_PER_CHARACTER = 4
_TEXTUAL = (
    *("text/", "application/json", "application/xml", "application/yaml", "application/javascript"),
    *("application/x-yaml", "application/x-ndjson", "application/x-www-form-urlencoded"),
)


class HttpRoute:
    """A `Route` for requests.

    `secret` looks secrets up by name; only those that the settings list are used.
    """

    def __init__(
        self,
        client: WebClient,
        secret: Callable[[str], str | None],
        settings: HttpToolSettings,
        output_chars: int,
        clock: Clock,
    ) -> None:
        self._client = client
        self._secret = secret
        self._listed = frozenset(settings.secrets)
        self._servers = settings.servers
        self._output_chars = output_chars
        self._tokens = _ClientTokens(client, clock)

    def hindrance(self, definition: ToolDefinition) -> str | None:
        """Why the request can't be made: a secret or an address that it needs is not set."""
        if not isinstance(definition.implementation, HttpImplementation):
            return None
        for name in secrets_of(definition.implementation):
            if name not in self._listed:
                return (
                    f"its file sends the secret {name}; add it to tools.http.secrets if tools may "
                    "have it"
                )
            if not self._secret(name):
                return f"the secret {name} is not set; put it into the environment or .env"
        for name in servers_of(definition.implementation):
            if name not in self._servers:
                return f"the address of {name} is not set; add it to tools.http.servers"
        if base := self._servers.get(definition.implementation.server):
            name = f"tools.http.servers.{definition.implementation.server}"
            problem = base_problem(base, definition.parameters)
            return f"{name}: {problem}" if problem else None
        return None

    async def __call__(self, definition: ToolDefinition, context: ToolContext) -> ToolResult:
        """Send it.

        Raises ToolError if the request fails. A status of 400 or above is an error result.
        """
        implementation = definition.implementation
        if not isinstance(implementation, HttpImplementation):
            raise TypeError(f"{definition.name} is no request")
        if (reason := self.hindrance(definition)) is not None:
            log.warning(
                "session=<%s>, tool=<%s> | not run: %s", context.session_id, definition.name, reason
            )
            raise ToolError(
                f"{definition.name} is not set up in this installation. Go on without it"
            )
        used: list[str] = []
        filling = partial(
            fill,
            implementation,
            definition.parameters,
            context.call.arguments,
            self._lend(used),
            self._servers.get(implementation.server, STAND_IN),
        )
        converted = converts(implementation)
        filled = await asyncio.to_thread(filling) if converted else filling()
        if implementation.login is not None and not implementation.login.token_url:
            encoded = filled.headers["Authorization"].partition(" ")[2]
            register_secret(encoded)
            used.append(encoded)
        request = WebRequest(
            implementation.method,
            filled.url,
            filled.headers,
            filled.body,
            timeout_s=definition.timeout_s or WAIT_S,
            may_reach=lambda host: reaches(context, definition, host),
        )
        response = await self._fetch(implementation, request, used)
        text = _without(_body(response.text, response.media_type, len(response.body)), used)
        cut = "\n[… the answer was longer and is cut here …]" if response.cut else ""
        log.debug(
            "session=<%s>, tool=<%s>, status=<%d> | request answered",
            context.session_id,
            definition.name,
            response.status,
        )
        status = f"HTTP {response.status} {_without(response.reason, used)}".rstrip()
        origin = Origin(Trust.EXTERNAL, f"tool:{definition.name}")
        excerpt = text if len(text) <= _ERROR_CHARS else text[:_ERROR_CHARS] + " …"
        if response.status >= 400:
            return ToolResult(f"{ERROR}{status}\n{excerpt}".rstrip(), is_error=True, origin=origin)
        if (problem := _unsuccessful(implementation, response)) is not None:
            return ToolResult(
                f"{ERROR}{status}, but {problem}\n{excerpt}", is_error=True, origin=origin
            )
        most = self._output_chars * _BYTES_PER_CHARACTER
        return ToolResult(f"{status}\n{text[:most]}{cut}".rstrip(), origin=origin)

    async def _fetch(
        self, implementation: HttpImplementation, request: WebRequest, used: list[str]
    ) -> WebResponse:
        """Send it, with a token where its file asks for one; a refused token is renewed once."""
        login = implementation.login
        if login is None or not login.token_url:
            return await self._client.fetch(request)
        lend, server = self._lend(used), server_of(login.token_url)
        base = self._servers.get(server, "").rstrip("/")
        url = login.token_url.replace(f"{{server:{server}}}", base, 1)
        known = _ClientLogin(url, lend(login.name), lend(login.password))
        token = await self._tokens.token(known)
        used.append(token)
        response = await self._client.fetch(_bearing(request, token))
        if response.status == _UNAUTHORIZED:
            token = await self._tokens.token(known, refused=token)
            used.append(token)
            response = await self._client.fetch(_bearing(request, token))
        return response

    def _lend(self, used: list[str]) -> Callable[[str], str]:
        def lend(name: str) -> str:
            value = (self._secret(name) or "") if name in self._listed else ""
            register_secret(value)
            used.append(value)
            return value

        return lend


def _bearing(request: WebRequest, token: str) -> WebRequest:
    return replace(request, headers={**request.headers, "Authorization": f"Bearer {token}"})


def _unsuccessful(implementation: HttpImplementation, response: WebResponse) -> str | None:
    """Why the answer is a failure although its status says success; None if it is none."""
    if implementation.success is None:
        return None
    path, wanted = implementation.success
    try:
        value: Any = response.json()
    except ValueError:
        return "it is no JSON"
    for part in path.split("."):
        value = cast("dict[str, Any]", value).get(part) if isinstance(value, dict) else None
    said = value if isinstance(value, str) else json.dumps(value)
    return None if said == wanted else f"{path} is {said[:80]}, not {wanted}"


def _body(text: str, media_type: str, size: int) -> str:
    if media_type and not (
        media_type.startswith(_TEXTUAL) or media_type.endswith(("+json", "+xml"))
    ):
        return f"({media_type}, {size:,} bytes; not shown)" if size else ""
    if media_type.endswith("json"):
        try:
            return json.dumps(json.loads(text), ensure_ascii=False, separators=(", ", ": "))
        except (ValueError, RecursionError):
            return text
    return text


def _without(text: str, secrets: Collection[str]) -> str:
    """Remove the sent secrets from a text, because some services echo the request."""
    for value in secrets:
        for spelling in {value, quote(value, safe=""), json.dumps(value)[1:-1]} - {""}:
            text = text.replace(spelling, REDACTED)
    return text
