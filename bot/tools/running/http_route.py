"""Runs request tools: fills the template, sends it, and formats the answer."""

import json
import logging
from collections.abc import Callable, Collection
from urllib.parse import quote

from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import HttpImplementation, ToolDefinition
from bot.errors import ToolError
from bot.log import REDACTED, register_secret
from bot.tools.definitions.http_template import fill, secrets_of
from bot.tools.permission.confinement import reaches
from bot.tools.running.output import ERROR
from bot.web.client import WebClient, WebRequest

log = logging.getLogger(__name__)

_ERROR_CHARS = 2_000
_BYTES_PER_CHARACTER = 4
_TEXTUAL = (
    *("text/", "application/json", "application/xml", "application/yaml", "application/javascript"),
    *("application/x-yaml", "application/x-ndjson", "application/x-www-form-urlencoded"),
)


class HttpRoute:
    """A `Route` for requests.

    `secret` looks secrets up by name; only those in `listed` are used.
    """

    def __init__(
        self,
        client: WebClient,
        secret: Callable[[str], str | None],
        listed: Collection[str],
        output_chars: int,
    ) -> None:
        self._client = client
        self._secret = secret
        self._listed = frozenset(listed)
        self._output_chars = output_chars

    def hindrance(self, definition: ToolDefinition) -> str | None:
        """Why the request can't be made: its secret is not allowed for tools, or not set."""
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
        filled = fill(
            implementation, definition.parameters, context.call.arguments, self._lend(used)
        )
        request = WebRequest(
            implementation.method,
            filled.url,
            filled.headers,
            filled.body,
            timeout_s=definition.timeout_s,
            may_reach=lambda host: reaches(context, definition, host),
        )
        response = await self._client.fetch(request)
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
        most = self._output_chars * _BYTES_PER_CHARACTER
        return ToolResult(f"{status}\n{text[:most]}{cut}".rstrip(), origin=origin)

    def _lend(self, used: list[str]) -> Callable[[str], str]:
        def lend(name: str) -> str:
            value = (self._secret(name) or "") if name in self._listed else ""
            register_secret(value)
            used.append(value)
            return value

        return lend


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
