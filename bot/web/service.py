"""Calls to a vendor's JSON API: guarded client, bounded retries, usable errors.

`key_check` asks a service whether it takes its key, for `bellhop doctor --live`.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast
from urllib.parse import urlencode, urlsplit

from pydantic import BaseModel, ValidationError

from bot.domain.clock import Clock
from bot.domain.health import Check
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, Trust
from bot.domain.tool_outcomes import ToolResult
from bot.errors import raised_as
from bot.log import redact, redact_secrets
from bot.web.client import WebClient, WebRequest
from bot.web.response import WebError, WebRefused, WebResponse
from bot.web.retries import AskAgain, GaveUp, Retries
from bot.web.settings import WebSettings
from bot.web.targets import parse_target

log = logging.getLogger(__name__)

AnswerT = TypeVar("AnswerT", bound=BaseModel)

LONGEST_PAUSE_S = 10.0
"""A longer requested pause is reported instead of waited for."""
_REFUSED_KEY = frozenset({401, 403})
_TOO_MANY = 429
_CONFLICT = 409
_OUT_OF_CREDIT = 402
_SAID_CHARS = 300


class ServiceError(WebError):
    """A call to a service failed. `status` is its HTTP status, or 0 without an answer."""

    def __init__(self, text: str, status: int = 0, said: str = "") -> None:
        super().__init__(text)
        self.status = status
        self.said = said
        """The service's own words about the error."""


@dataclass(frozen=True)
class Call:
    """One request to a service. `query` and `form` are encoded here, `body` is sent as JSON."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    body: JsonObject | None = None
    form: Mapping[str, str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    timeout_s: float = 20.0
    repeatable: bool = True
    """Whether it may be sent again after an unknown outcome: it reads, or is idempotent."""


@dataclass(frozen=True)
class KeyedService:
    """One vendor's API.

    `key_name` is the secret of .env that `headers` carries, for its error texts.
    """

    name: str
    base_url: str
    key_name: str
    headers: Callable[[], Mapping[str, str]] = field(repr=False)
    web: WebClient
    clock: Clock
    refusing_key: frozenset[str] = frozenset()
    """Error codes in the body that mean a refused key, whatever the status."""

    async def ask(self, call: Call, kind: type[AnswerT]) -> AnswerT:
        """Call the service and parse the answer as this model.

        Raises ServiceError as `call` does, and for an answer of another form.
        """
        try:
            return kind.model_validate(await self.call(call))
        except ValidationError as error:
            log.warning(
                "service=<%s>, errors=<%d> | an answer of unknown form",
                self.name,
                error.error_count(),
            )
            raise ServiceError(
                f"{self.name} answered in an unknown format; try again later"
            ) from error

    async def call(self, call: Call) -> Any:
        """The JSON that the service answers with. Raises ServiceError.

        A 429 or 5xx, or no answer at all, is tried again up to twice, after the pause that the
        service asks for. A call that is not repeatable is tried again only after a 429, which the
        service has not acted on.
        """
        retries = Retries(
            self.name, lambda response: _again(call, response), LONGEST_PAUSE_S, self.clock
        )
        outcome = await retries.ask(lambda: self._send(call), repeatable=call.repeatable)
        if isinstance(outcome, GaveUp):
            if outcome.answer is None:
                raise ServiceError(
                    f"{self.name} gave no answer: {outcome.error}"
                ) from outcome.error
            raise self._error(outcome.answer, outcome.pause_s)
        if not 200 <= outcome.status < 300:
            raise self._error(outcome)
        return self._json(outcome)

    async def _send(self, call: Call) -> WebResponse:
        url = (
            self.base_url.rstrip("/")
            + call.path
            + (f"?{urlencode(call.query)}" if call.query else "")
        )
        headers, body = {"Accept": "application/json", **self.headers(), **call.headers}, None
        if call.body is not None:
            headers["Content-Type"], body = "application/json", json.dumps(call.body).encode()
        elif call.form is not None:
            headers["Content-Type"], body = (
                "application/x-www-form-urlencoded",
                urlencode(call.form).encode(),
            )
        # A redirect would carry the key to another host.
        return await self.web.fetch(
            WebRequest(call.method, url, headers, body, timeout_s=call.timeout_s, follow=False)
        )

    def _json(self, response: WebResponse) -> Any:
        if response.cut:
            raise ServiceError(f"{self.name} answered with more than 5 MB; ask for less")
        try:
            return response.json()
        except ValueError as error:
            raise ServiceError(
                f"{self.name} answered with something that is not JSON; try again later"
            ) from error

    def _error(self, response: WebResponse, pause: float = 0.0) -> ServiceError:
        status = response.status
        said = _said(response)
        log.warning("service=<%s>, status=<%d>, said=<%s> | a call failed", self.name, status, said)
        if status in _REFUSED_KEY or _code(response) in self.refusing_key:
            text = (
                f"{self.name} refuses its key. Don't try again; tell the person that the operator "
                "must renew it"
            )
            text += f" ({self.key_name})"
        elif status == _OUT_OF_CREDIT:
            text = (
                f"{self.name} has no credit left. Don't try again; tell the person that the "
                "operator must top it up"
            )
        elif status == _TOO_MANY:
            text = (
                f"{self.name} is asked too often (HTTP 429). Go on without it, or try again in "
                f"{pause:.0f} s"
            )
        elif status >= 500:
            text = f"{self.name} has trouble (HTTP {status}). Go on without it, or try again later"
        elif status >= 400:
            text = (
                f"{self.name} does not accept the call (HTTP {status}). Correct it; the same call "
                "fails again"
            )
        else:
            text = (
                f"{self.name} answered with HTTP {status}, which is no answer. The operator must "
                "check its address"
            )
        return ServiceError(text, status, said)


def service_client(settings: WebSettings, base_url: str) -> WebClient:
    """A client for one service.

    Its own host may be private: the operator wrote its address into the settings.
    """
    host = parse_target(base_url).host
    return WebClient(settings.model_copy(update={"allow_private": (*settings.allow_private, host)}))


def checked_base_url(text: str) -> str:
    """An address of a service as settings hold it.

    Raises ValueError, saying what is wrong with it.
    """
    with raised_as(ValueError, WebRefused):
        parse_target(text)
    if urlsplit(text).query or urlsplit(text).fragment:
        raise ValueError("write only scheme, host and path, such as https://api.example.org")
    return text.rstrip("/")


def told_to_model(error: ServiceError, tool: str) -> ToolResult:
    """The failed call as a result.

    Its words may quote strangers, so their origin is external.
    """
    text = f"ERROR: {error}." + (f"\n{error.said}" if error.said else "")
    return ToolResult(text, is_error=True, origin=Origin(Trust.EXTERNAL, f"tool:{tool}"))


def _again(call: Call, response: WebResponse) -> AskAgain | None:
    """A 409 to a keyed call means that the service still works on the earlier one."""
    busy = response.status == _CONFLICT and "Idempotency-Key" in call.headers
    if response.status == _TOO_MANY or busy:
        return AskAgain(acted=False, seconds=_asked_pause(response))
    return AskAgain(acted=True, seconds=_asked_pause(response)) if response.status >= 500 else None


def _asked_pause(response: WebResponse) -> float | None:
    """Seconds that the service asks for."""
    for name in ("retry-after", "ratelimit-reset", "x-ratelimit-reset"):
        first = response.headers.get(name, "").split(",")[0].strip()
        if first.isascii() and first.isdigit() and len(first) < 8:
            return max(1.0, float(first))
    return None


def _said(response: WebResponse) -> str:
    """The message in an error's JSON, in one line; empty without a readable one."""
    try:
        text = _words_of(response.json())
    except ValueError:
        return ""
    return redact_secrets(" ".join(text.split())[:_SAID_CHARS])


def _code(response: WebResponse) -> str:
    """The code of an error, as in `{"error": {"code": …}}`; empty where there is none."""
    try:
        error = cast("JsonObject", response.json()).get("error")
    except (ValueError, AttributeError):
        return ""
    return str(cast("JsonObject", error).get("code", "")) if isinstance(error, dict) else ""


def _words_of(found: object) -> str:
    """The words of `{"message": …}`, `{"error": …}`, `{"error": {"detail": …}}` and the like."""
    if not isinstance(found, dict):
        return found if isinstance(found, str) else ""
    given = cast("JsonObject", found)
    return next(
        (
            words
            for key in ("message", "detail", "error", "code")
            if (words := _words_of(given.get(key)))
        ),
        "",
    )


async def key_check(
    service: KeyedService,
    ask: Call | Callable[[KeyedService], Awaitable[Any]],
    *,
    limited: str = "",
    limited_to: str = "",
) -> Check:
    """One line about a key. `ask` is the cheapest request of the service.

    `limited`: a word of the service's error about a key that is good for `limited_to` alone.
    """
    check = f"service {service.name}"
    try:
        await (service.call(ask) if isinstance(ask, Call) else ask(service))
    except ServiceError as error:
        if limited and limited in error.said.casefold():
            return Check(check, "ok", f"takes its key, for {limited_to} alone")
        said = f" ({error.said})" if error.said else ""
        return Check(check, "error", redact(f"{service.key_name}: {error}{said}"))
    except WebError as error:
        return Check(check, "error", redact(str(error)))
    return Check(check, "ok", "takes its key")
