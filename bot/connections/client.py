"""The client for services' APIs: tokens, renewals, limits, pages, and usable errors."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import urlencode, urljoin, urlsplit

from bot.connections.access import WORKSPACE, AccessToken, Connections, NotConnected
from bot.connections.services import Service
from bot.domain.access import Person
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject, as_object
from bot.errors import ToolError
from bot.web.client import WebClient, WebRequest
from bot.web.response import WebResponse
from bot.web.retries import AskAgain, GaveUp, Retries

LONGEST_WAIT_S = 20.0
"""A longer requested wait is reported instead of holding the call."""
MAX_BYTES = 2_000_000
_HARMLESS = frozenset({"GET", "HEAD", "PUT", "DELETE"})
_PASSES = frozenset({500, 502, 503, 504})
_LIMITED = frozenset({429, 529})
"""Notion uses 529 for overload: https://developers.notion.com/reference/request-limits."""
_DENIED = frozenset(
    {"invalid_auth", "not_authed", "token_expired", "token_revoked", "account_inactive"}
)
"""Slack's error codes for a token that it no longer accepts."""
_MEANING = {
    400: "the request is wrong; check the arguments",
    403: "this account may not do that, or the connection does not cover it",
    404: "there is no such thing, or this account may not see it; check the id",
    409: "it was changed meanwhile or exists already; read it again first",
    410: "it is gone",
    422: "a value is not accepted; check the arguments",
}


@dataclass(frozen=True)
class ServiceRequest:
    """One call. `path` starts with `/` and is put behind the service's address."""

    method: str
    path: str
    query: Mapping[str, str | int | bool] = field(default_factory=dict[str, str | int | bool])
    body: JsonObject | None = field(default=None, repr=False)
    api: str = ""
    """A part of the service with its own host: see `Service.apis`."""
    idempotency_key: str | None = None
    """Sent as `Idempotency-Key`. A POST or PATCH that has one is retried.

    Give it only if the service supports it, or if the body has its own id. `context.call.key` is
    the same after a crash.
    """
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    max_bytes: int = MAX_BYTES
    reads: bool = False
    """Whether a POST changes nothing (a search), so that it is retried."""

    @property
    def repeatable(self) -> bool:
        return self.reads or self.method in _HARMLESS or self.idempotency_key is not None


@dataclass(frozen=True)
class ServiceAnswer:
    """A successful answer. `value`: its JSON, None when it is empty."""

    value: Any
    headers: Mapping[str, str]
    """By lower-case name."""

    def __getitem__(self, key: str) -> Any:
        """A field of the answer, None when it has none of this name."""
        return as_object(self.value).get(key)


Following: TypeAlias = Callable[[ServiceRequest, ServiceAnswer], ServiceRequest | None]
"""The request for the next page; None after the last one."""


class ServiceRefused(ToolError):
    """The service refused the request. `status`: of its answer, for who knows what it means."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class ServiceClient:
    """Calls one service for a person.

    Raises ToolError with a sentence that the model can act on.
    """

    def __init__(
        self, service: Service, connections: Connections, web: WebClient, clock: Clock
    ) -> None:
        self.service = service
        self._connections = connections
        self._web = web
        self._clock = clock

    def own(self, person: Person) -> bool:
        """Whether this person's calls go by an account of their own, not by the workspace's."""
        return self.service.id in self._connections.connected(person.id)

    async def get(
        self, person: Person, path: str, query: Mapping[str, str | int | bool] = {}
    ) -> ServiceAnswer:
        return await self.call(person, ServiceRequest("GET", path, query))

    async def call(self, person: Person, request: ServiceRequest) -> ServiceAnswer:
        """Call the service with at most 3 tries and one renewal of the token."""
        token = await self._token(person)
        answer = await self._answer(request, token)
        if self._denied(answer):
            token = await self._token(person, stale=token.text)
            answer = await self._answer(request, token)
            if self._denied(answer):
                await self._connections.refused(token.owner, self.service)
                shared = token.owner == WORKSPACE
                raise ToolError(NotConnected(self.service, lapsed=True, shared=shared).text)
        return self._read(answer)

    async def pages(
        self, person: Person, request: ServiceRequest, following: Following, most: int = 10
    ) -> AsyncGenerator[ServiceAnswer]:
        """Page after page, at most `most`; `following` is one of bot.connections.pages."""
        seen: set[str] = set()
        onward: ServiceRequest | None = request
        while onward is not None and len(seen) < most:
            place = json.dumps([onward.path, dict(onward.query), onward.body], sort_keys=True)
            if place in seen:
                return  # a service that leads in circles
            seen.add(place)
            answer = await self.call(person, onward)
            yield answer
            onward = following(onward, answer)

    async def _token(self, person: Person, stale: str = "") -> AccessToken:
        match await self._connections.token_for(person, self.service.id, stale):
            case AccessToken() as token:
                return token
            case NotConnected() as lacking:
                raise ToolError(lacking.text)

    async def _send(self, request: ServiceRequest, token: AccessToken) -> WebResponse:
        headers = {"Accept": "application/json", **self.service.headers, **request.headers}
        headers["Authorization"] = f"Bearer {token.text}"
        body = None
        if request.body is not None:
            headers["Content-Type"] = "application/json; charset=utf-8"
            body = json.dumps(request.body, ensure_ascii=False).encode()
        if request.idempotency_key is not None:
            headers["Idempotency-Key"] = request.idempotency_key
        return await self._web.fetch(
            WebRequest(
                request.method, self._url(request), headers, body, max_bytes=request.max_bytes
            )
        )

    def _url(self, request: ServiceRequest) -> str:
        base = self.service.apis[request.api] if request.api else self.service.base_url
        if request.path.startswith("/"):
            url = base + request.path
        else:
            url = urljoin(base, request.path)
            if _origin(url) != _origin(base):
                raise ToolError(
                    f"{self.service.title} names an address outside itself; it was not asked"
                )
        query = {
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in request.query.items()
        }
        return f"{url}{'&' if '?' in url else '?'}{urlencode(query)}" if query else url

    def _denied(self, response: WebResponse) -> bool:
        return response.status == 401 or self._word(response) in _DENIED

    async def _answer(self, request: ServiceRequest, token: AccessToken) -> WebResponse:
        """A final answer.

        Raises ToolError when there is none, WebRefused when the address may not be asked.
        """
        retries = Retries(self.service.title, _again, LONGEST_WAIT_S, self._clock)
        outcome = await retries.ask(
            lambda: self._send(request, token), repeatable=request.repeatable
        )
        if isinstance(outcome, GaveUp):
            raise ToolError(
                f"{self.service.title}: {_given_up(outcome, repeatable=request.repeatable)}"
            )
        return outcome

    def _read(self, response: WebResponse) -> ServiceAnswer:
        name, word = self.service.title, self._word(response)
        if response.status >= 300 or word:
            meaning = (
                _MEANING.get(response.status, f"it answered {response.status}")
                if response.status >= 300
                else ""
            )
            detail = " ".join(filter(None, [meaning, f"({word})" if word else ""]))
            hint = self.service.meanings.get(word, "")
            raise ServiceRefused(
                f"{name} refused: {detail}.{' ' if hint else ''}{hint}", response.status
            )
        if response.cut:
            raise ToolError(
                f"{name} answered with more than {len(response.body):,} bytes; ask for less"
            )
        try:
            return ServiceAnswer(response.json() if response.body else None, response.headers)
        except ValueError as error:
            raise ToolError(
                f"{name} answered with something that is no JSON; try again later"
            ) from error

    def _word(self, response: WebResponse) -> str:
        """The service's code for a failure.

        Its sentences are not repeated: others may have written them.
        """
        if response.status < 300 and not self.service.status_in_body:
            return ""
        try:
            found: object = response.json() if response.body else {}
        except ValueError:
            return ""
        answer = as_object(found)
        if response.status < 300 and answer.get("ok") is not False:
            return ""
        error: object = answer.get("error")
        inner = as_object(error)
        word: object = inner.get("status") or inner.get("code") or answer.get("code") or error
        short = (
            isinstance(word, str)
            and len(word) <= 60
            and word.replace("_", "").replace(".", "").isalnum()
        )
        return str(word) if short else ("failed" if response.status < 300 else "")


def _again(response: WebResponse) -> AskAgain | None:
    if (told := _told_to_wait(response)) is not None:
        return AskAgain(acted=False, seconds=told)
    return AskAgain(acted=True) if response.status in _PASSES else None


def _given_up(outcome: GaveUp, *, repeatable: bool) -> str:
    """The error for the model, with the remedy."""
    if outcome.error is not None or outcome.answer is None:
        why = str(outcome.error)
    elif outcome.wait.acted:
        why = f"it has trouble ({outcome.answer.status})"
    else:
        why = "it limits how often it may be asked"
    if outcome.wait.acted and not repeatable:
        return f"{why}. Whether the call took effect is unknown: check first, don't repeat it."
    if outcome.pause_s > LONGEST_WAIT_S:
        return f"{why}. Try again in {outcome.pause_s:.0f} seconds, or ask for less."
    return f"{why}. It was tried {outcome.tried} times; go on without it or try again later."


def _told_to_wait(response: WebResponse) -> float | None:
    """Seconds until the service may be asked again; None when it set no limit."""
    spent = response.status == 403 and (
        "retry-after" in response.headers or response.headers.get("x-ratelimit-remaining") == "0"
    )
    if response.status not in _LIMITED and not spent:
        return None
    told = response.headers.get("retry-after", "")
    return float(told) if told.isdigit() else (LONGEST_WAIT_S * 3 if spent else 5.0)


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()
