"""Runs request tools: fills the template, sends it, and formats the answer."""

import asyncio
import json
import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import Any, cast
from urllib.parse import quote

from bot.domain.clock import Clock
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import HttpImplementation, ToolDefinition, server_of
from bot.errors import ToolError
from bot.log import REDACTED, register_secret
from bot.tools.definitions.http_template import (
    STAND_IN,
    base_problem,
    converts,
    fill,
    secrets_of,
    servers_of,
)
from bot.tools.permission.confinement import reaches
from bot.tools.running.client_tokens import ClientLogin, ClientTokens
from bot.tools.running.output import ERROR
from bot.tools.settings import HttpToolSettings
from bot.web.client import WAIT_S, WebClient, WebRequest
from bot.web.response import WebResponse

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
        self._tokens = ClientTokens(client, clock)

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
        if response.status >= 400:
            excerpt = text if len(text) <= _ERROR_CHARS else text[:_ERROR_CHARS] + " …"
            return ToolResult(f"{ERROR}{status}\n{excerpt}".rstrip(), is_error=True, origin=origin)
        if (problem := _unsuccessful(implementation, response)) is not None:
            excerpt = text if len(text) <= _ERROR_CHARS else text[:_ERROR_CHARS] + " …"
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
        known = ClientLogin(url, lend(login.name), lend(login.password))
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
