"""The Messages API through the anthropic SDK.

The only importer of anthropic and httpx2; import it lazily (a third of a second).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, ParamSpec, TypeVar

import httpx2

from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities, ModelDelta, ModelReply, ModelRequest, ModelSize
from bot.llm.blocks import as_object
from bot.llm.body_cache import BodyCache
from bot.llm.endpoint import Endpoint
from bot.llm.event_reader import EventStreamReader
from bot.llm.failures import Failure, SampleFailed, clean, failure, from_status
from bot.llm.lean_import import LeanImport
from bot.llm.progress import TryProgress
from bot.llm.reply_builder import ReplyBuilder, StreamRefused
from bot.llm.requests import request_betas
from bot.llm.retry import RetryPolicy, with_retries
from bot.llm.transport import (
    CutOff,
    InProcess,
    InProcessServer,
    NoResponse,
    Response,
    TimedOut,
    Transport,
)

# Of the SDK's 3,000 modules, 2,600 are types of the API that nothing here uses.
LEAN_SDK = LeanImport(
    "anthropic",
    uses=(
        "AnthropicError",
        "AsyncAnthropic",
        "DefaultAsyncHttpxClient",
    ),
    left_out=(
        # Sets up logging if the environment has ANTHROPIC_LOG; Bellhop has its own log level.
        "_setup_logging()",
        # Gives classes shorter names in messages.
        "__locals = locals()",
        "for __name in __all__:",
        # A proxy for the package `anthropic.resources`, which hides it anyway once it is imported.
        "if not _t.TYPE_CHECKING:",
    ),
    on_call=(
        # Spans, which the client is told not to make.
        "anthropic.lib._tracing.finish_api_call_span",
        # Reads the details of an error's status into 200 types; for samples that is done here.
        "anthropic._error_classes.make_status_error",
    ),
)
LEAN_SDK.load()
import anthropic  # noqa: E402 - as lean as it was just imported

P = ParamSpec("P")
T = TypeVar("T")

# Errors of reading an invalid stream.
_GARBAGE = (ValueError, TypeError, AttributeError, LookupError)


class AnthropicModel:
    """Implements `domain.models.Model` for Anthropic, compatible servers and the offline model.

    It always streams, through one shared client without retries of its own. `server` replaces the
    network.
    """

    def __init__(
        self, endpoint: Endpoint, clock: Clock, server: InProcessServer | None = None
    ) -> None:
        self._endpoint = endpoint
        self._clock = clock
        self._place = endpoint.base_url.rsplit("@", 1)[-1]
        self._policy = RetryPolicy(endpoint.attempts)
        self._bodies = BodyCache(endpoint)
        self._transport = _transport(endpoint) if server is None else InProcess(server)
        # Key, address and header are explicit; otherwise the SDK takes them from the environment.
        self._client = anthropic.AsyncAnthropic(
            api_key=endpoint.key,
            base_url=endpoint.base_url,
            max_retries=0,
            open_telemetry=False,
            default_headers={} if endpoint.anthropic else {"x-api-key": endpoint.key},
            http_client=anthropic.DefaultAsyncHttpxClient(
                transport=_OfSdk(self._transport), trust_env=False
            ),
        )
        self._url, self._headers = self._prepare()

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._endpoint.capabilities

    def name(self, size: ModelSize) -> str:
        return self._endpoint.names[size]

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        """Take one whole sample; see `Model.sample`.

        Raises ModelError, never an error of the SDK or of HTTP.
        """
        body = self._bodies.pieces(request)

        async def attempt(show: Callable[[ModelDelta], None], number: int) -> ModelReply:
            progress = TryProgress(self._clock, self._endpoint.timeout_s)
            try:
                async with progress.demanded():
                    return await self._try(body, number, progress, show)
            except TimeoutError:
                raise SampleFailed(self._stalled()) from None

        return await with_retries(attempt, on_delta, self._policy, self._clock)

    async def close(self) -> None:
        await self._client.close()  # and with it the transport

    async def look_up(self, path: str, body: JsonObject | None = None) -> JsonObject | None:
        """Ask the server about itself at this path; None if it gives no usable answer."""
        options: dict[str, Any] = {"cast_to": httpx2.Response}
        try:
            if body is None:
                response = await self._client.get(path, **options)
            else:
                response = await self._client.post(path, body=body, **options)
            found: object = json.loads(await response.aread())
        except (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError, *_GARBAGE):
            return None
        return as_object(found)

    # --- one try ---

    async def _try(
        self,
        body: Sequence[bytes],
        number: int,
        progress: TryProgress,
        show: Callable[[ModelDelta], None],
    ) -> ModelReply:
        """Show deltas as they come, and return the reply. Raises SampleFailed for every failure."""
        builder, reader = ReplyBuilder(), EventStreamReader()
        try:
            response = await self._open(body)
            headers = response.headers
            async with aclosing(response):
                if _is_json(headers):
                    whole = await response.read()
                    for delta in self._sense(headers, builder.add_whole, whole):
                        show(delta)
                else:
                    while piece := await response.piece():
                        for event in self._sense(headers, reader.feed, piece):
                            progress.came(event)
                            if delta := self._sense(headers, builder.add, event):
                                show(delta)
        except (NoResponse, TimedOut, CutOff) as error:
            raise SampleFailed(self._broken(error)) from error
        if not builder.whole:
            raise SampleFailed(_unfinished(builder))
        return self._sense(headers, builder.reply, headers.get("request-id"), number)

    def _sense(
        self, headers: Mapping[str, str], read: Callable[P, T], *args: P.args, **named: P.kwargs
    ) -> T:
        """What `read` makes of the stream. Raises SampleFailed if it makes no sense, or refuses."""
        try:
            return read(*args, **named)
        except StreamRefused as error:
            told, now = self._clean(error.message), self._clock.now()
            failed = from_status(200, error.error_type, told, headers, now)
        except _GARBAGE as error:
            failed = failure("nonsense", self._nonsense(error), again=True)
        raise SampleFailed(failed)

    def _prepare(self) -> tuple[str, Mapping[str, str]]:
        """The address and headers of all requests, as the SDK would make them for each."""
        betas = request_betas(self._endpoint)
        url = f"{self._endpoint.base_url.rstrip('/')}/v1/messages"
        sdk = self._client.default_headers
        headers = {name: value for name, value in sdk.items() if isinstance(value, str)}
        headers["X-Stainless-Async"] = "async:asyncio"  # the SDK asks for the library in a loop
        headers["Connection"] = "keep-alive"
        if betas:
            url, headers["anthropic-beta"] = f"{url}?beta=true", ",".join(betas)
        return url, headers

    async def _open(self, body: Sequence[bytes]) -> Response:
        """Send an encoded request and return the response.

        It goes past the SDK's own request path: `messages.stream` would copy the whole body three
        times and make a pydantic model of every event, and `post` would prepare again what is equal
        for all requests (see docs/decisions.md).
        """
        response = await self._transport.send("POST", self._url, self._headers, body)
        if 200 <= response.status < 300:
            return response
        async with aclosing(response):
            raise SampleFailed(self._refused(response, await response.read()))

    # --- what went wrong ---

    def _clean(self, text: str) -> str:
        return clean(text, self._endpoint.key)

    def _refused(self, response: Response, body: bytes) -> Failure:
        """The response was an error, perhaps one that no Messages API made."""
        text, status = body.decode(errors="replace").strip(), response.status
        try:
            found: object = json.loads(text)
        except ValueError:
            found, message = None, text or f"Error code: {status}"
        else:
            message = f"Error code: {status} - {found}"
        error = as_object(as_object(found).get("error"))
        kind, said = error.get("type"), error.get("message")
        return from_status(
            status,
            str(kind) if kind else None,
            self._clean(str(said or message)),
            response.headers,
            self._clock.now(),
        )

    def _broken(self, error: NoResponse | TimedOut | CutOff) -> Failure:
        """The connection failed while the request went out or the response came in."""
        reason, place = self._clean(str(error)), self._place
        match error:
            case TimedOut():
                silence = f"{self._endpoint.timeout_s:g} s"
                return failure("timeout", f"no answer from {place} in {silence}", again=True)
            case NoResponse():
                told = f"no connection to {place} ({reason}); is it running?"
                return failure("unreachable", told, again=True)
            case CutOff():
                told = f"the connection to {place} was cut in mid-answer ({reason})"
                return failure("cut", told, again=True)

    def _stalled(self) -> Failure:
        return failure(
            "timeout",
            f"{self._place} sent next to nothing for {self._endpoint.timeout_s:g} s",
            again=True,
        )

    def _nonsense(self, error: Exception) -> str:
        return (
            "the server sent a stream that makes no sense "
            f"({self._clean(f'{type(error).__name__}: {error}')})"
        )


def _unfinished(builder: ReplyBuilder) -> Failure:
    if builder.begun:
        return failure("cut", "the reply ended in the middle", again=True)
    return failure("nonsense", "the server sent no events; it may ignore `stream`", again=True)


def _is_json(headers: Mapping[str, str]) -> bool:
    """Whether the server ignored `stream` and answered with the whole message."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


def _transport(endpoint: Endpoint) -> Transport:
    # Offline nothing else needs aiohttp.
    from bot.llm.http_transport import HttpTransport  # noqa: PLC0415

    return HttpTransport(endpoint.base_url, endpoint.timeout_s)


class _OfSdk(httpx2.AsyncBaseTransport):
    """The model's transport in the form that the SDK takes."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            sent = await self._transport.send(
                request.method, str(request.url), request.headers, [await request.aread()]
            )
            async with aclosing(sent) as response:
                content = await response.read()
        except (NoResponse, TimedOut, CutOff) as error:
            raise httpx2.TransportError(str(error)) from error
        return httpx2.Response(response.status, content=content, request=request)

    async def aclose(self) -> None:
        await self._transport.aclose()
