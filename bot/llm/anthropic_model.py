"""The Messages API through the anthropic SDK.

The only importer of anthropic and httpx2; import it lazily (a third of a second).
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import Any, cast

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

# Of the SDK's 3,000 modules, 2,600 are types of the API that nothing here uses.
LEAN_SDK = LeanImport(
    "anthropic",
    uses=(
        "APIConnectionError",
        "APIError",
        "APIStatusError",
        "APITimeoutError",
        "AnthropicError",
        "AsyncAnthropic",
        "AsyncStream",
        "DefaultAioHttpClient",
        "DefaultAsyncHttpxClient",
        "Timeout",
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
    # Spans, which the client is told not to make.
    on_call=("anthropic.lib._tracing.finish_api_call_span",),
)
LEAN_SDK.load()
import anthropic  # noqa: E402 - as lean as it was just imported

InProcessServer = Callable[[JsonObject], AsyncIterator[bytes]]
"""Answers a request body with an event stream, like `bot.llm.offline.OfflineServer.stream`."""

_CONNECT_S = 10.0
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
        self._policy = RetryPolicy(endpoint.attempts)
        self._bodies = BodyCache(endpoint)
        betas = request_betas(endpoint)
        self._path = "/v1/messages?beta=true" if betas else "/v1/messages"
        self._headers = {"anthropic-beta": ",".join(betas)} if betas else {}
        # Key, address and header are explicit; otherwise the SDK takes them from the environment.
        self._client = anthropic.AsyncAnthropic(
            api_key=endpoint.key,
            base_url=endpoint.base_url,
            max_retries=0,
            open_telemetry=False,
            timeout=anthropic.Timeout(
                None, connect=_CONNECT_S, read=endpoint.timeout_s, write=endpoint.timeout_s
            ),
            default_headers={} if endpoint.anthropic else {"x-api-key": endpoint.key},
            # Reads and writes HTTP in C: a turn takes a third less CPU than with the SDK's own
            # default.
            http_client=anthropic.DefaultAioHttpClient()
            if server is None
            else anthropic.DefaultAsyncHttpxClient(transport=_InProcess(server), trust_env=False),
        )

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
        body = self._bodies.encode(request)

        async def attempt(show: Callable[[ModelDelta], None], number: int) -> ModelReply:
            reply: ModelReply | None = None
            progress = TryProgress(self._clock, self._endpoint.timeout_s)
            try:
                async with (
                    progress.demanded(),
                    aclosing(self._stream(body, number, progress)) as items,
                ):
                    async for item in items:
                        if isinstance(item, ModelReply):
                            reply = item
                        else:
                            show(item)
            except TimeoutError:
                raise SampleFailed(self._stalled()) from None
            if reply is None:
                raise SampleFailed(failure("cut", "the stream ended without a message", again=True))
            return reply

        return await with_retries(attempt, on_delta, self._policy, self._clock)

    async def close(self) -> None:
        await self._client.close()

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

    async def _stream(
        self, body: bytes, number: int, progress: TryProgress
    ) -> AsyncGenerator[ModelDelta | ModelReply]:
        """Yield deltas, then the reply. Raises SampleFailed for every failure."""
        failed: Failure
        headers: Mapping[str, str] = {}
        try:
            response = await self._open(body)
            headers = response.headers
            async with aclosing(response):
                builder = ReplyBuilder()
                async with aclosing(_read(response, builder, progress)) as deltas:
                    async for delta in deltas:
                        yield delta
            if builder.whole:
                yield builder.reply(headers.get("request-id"), number)
                return
            failed = _unfinished(builder)
        except StreamRefused as error:
            failed = from_status(
                200, error.error_type, self._clean(error.message), headers, self._clock.now()
            )
        except anthropic.APIStatusError as error:
            failed = from_status(
                error.status_code,
                error.type,
                self._clean(_message(error)),
                error.response.headers,
                self._clock.now(),
            )
        except (anthropic.APIError, httpx2.HTTPError, httpx2.StreamError) as error:
            failed = self._broken(error)
        except _GARBAGE as error:
            failed = failure("nonsense", self._nonsense(error), again=True)
        raise SampleFailed(failed)

    async def _open(self, body: bytes) -> httpx2.Response:
        """Send an encoded request and return the response.

        The SDK's `messages.stream` copies the whole body three times and makes a pydantic model of
        every event: four fifths of the CPU of a turn. Its `post` keeps what is worth having
        (address, key, headers, the pool, errors).
        """
        response = await self._client.post(
            self._path,
            cast_to=httpx2.Response,
            content=body,
            options={"headers": self._headers},
            stream=True,
            stream_cls=anthropic.AsyncStream[object],
        )
        return cast(
            "httpx2.Response", response
        )  # `cast_to` decides; the SDK's types know of `stream_cls` alone

    # --- what went wrong ---

    def _clean(self, text: str) -> str:
        return clean(text, self._endpoint.key)

    def _broken(self, error: Exception) -> Failure:
        """The connection failed: before the response (an SDK error) or within it (HTTP error)."""
        place = self._endpoint.base_url.rsplit("@", 1)[-1]
        if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
            return failure(
                "timeout", f"no answer from {place} in {self._endpoint.timeout_s:g} s", again=True
            )
        if isinstance(error, anthropic.APIConnectionError):
            cause = error.__cause__ or error
            reason = self._clean(f"{type(cause).__name__}: {cause}")
            return failure(
                "unreachable", f"no connection to {place} ({reason}); is it running?", again=True
            )
        if isinstance(error, anthropic.APIError):
            return failure(
                "nonsense",
                f"{place} answered what no Messages API would: {self._clean(str(error))}",
                again=True,
            )
        reason = self._clean(f"{type(error).__name__}: {error}")
        return failure(
            "cut", f"the connection to {place} was cut in mid-answer ({reason})", again=True
        )

    def _stalled(self) -> Failure:
        place = self._endpoint.base_url.rsplit("@", 1)[-1]
        return failure(
            "timeout",
            f"{place} sent next to nothing for {self._endpoint.timeout_s:g} s",
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


async def _read(
    response: httpx2.Response, builder: ReplyBuilder, progress: TryProgress
) -> AsyncGenerator[ModelDelta]:
    """Yield the parts of a response that people may see; the builder gets every event."""
    if _is_json(response.headers):
        for delta in builder.add_whole(await response.aread()):
            yield delta
        return
    reader = EventStreamReader()
    async for piece in response.aiter_bytes():
        for event in reader.feed(piece):
            progress.came(event)
            if delta := builder.add(event):
                yield delta


def _is_json(headers: Mapping[str, str]) -> bool:
    """Whether the server ignored `stream` and answered with the whole message."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


def _message(error: anthropic.APIStatusError) -> str:
    return error.api_message or str(error.message)


class _InProcess(httpx2.AsyncBaseTransport):
    """HTTP without a network: passes the request body to a function and streams its pieces."""

    def __init__(self, server: InProcessServer) -> None:
        self._server = server

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(await request.aread())
        headers = {"content-type": "text/event-stream", "request-id": "req_offline"}
        return httpx2.Response(
            200, headers=headers, stream=_Bytes(self._server(body)), request=request
        )


class _Bytes(httpx2.AsyncByteStream):
    def __init__(self, source: AsyncIterator[bytes]) -> None:
        self._source = source

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._source:
            yield piece
