"""The Messages API through the anthropic SDK.

The only importer of anthropic and httpx2; import it lazily (a third of a second).
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

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
        "AnthropicError",
        "AsyncAnthropic",
        "DefaultAioHttpClient",
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
        self._place = endpoint.base_url.rsplit("@", 1)[-1]
        self._timeout = httpx2.Timeout(
            None, connect=_CONNECT_S, read=endpoint.timeout_s, write=endpoint.timeout_s
        )
        self._policy = RetryPolicy(endpoint.attempts)
        self._bodies = BodyCache(endpoint)
        # Reads and writes HTTP in C: a turn takes a third less CPU than with the SDK's own default.
        self._http = (
            anthropic.DefaultAioHttpClient()
            if server is None
            else anthropic.DefaultAsyncHttpxClient(transport=_InProcess(server), trust_env=False)
        )
        # Key, address and header are explicit; otherwise the SDK takes them from the environment.
        self._client = anthropic.AsyncAnthropic(
            api_key=endpoint.key,
            base_url=endpoint.base_url,
            max_retries=0,
            open_telemetry=False,
            timeout=self._timeout,
            default_headers={} if endpoint.anthropic else {"x-api-key": endpoint.key},
            http_client=self._http,
        )
        self._prepared = self._prepare(request_betas(endpoint))

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
                builder, reader = ReplyBuilder(), EventStreamReader()
                if _is_json(headers):
                    for delta in builder.add_whole(await response.aread()):
                        yield delta
                else:
                    async for piece in response.aiter_bytes():
                        for event in reader.feed(piece):
                            progress.came(event)
                            if delta := builder.add(event):
                                yield delta
            if builder.whole:
                yield builder.reply(headers.get("request-id"), number)
                return
            failed = _unfinished(builder)
        except StreamRefused as error:
            failed = from_status(
                200, error.error_type, self._clean(error.message), headers, self._clock.now()
            )
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            failed = self._broken(error)
        except _GARBAGE as error:
            failed = failure("nonsense", self._nonsense(error), again=True)
        raise SampleFailed(failed)

    def _prepare(self, betas: Sequence[str]) -> httpx2.Request:
        """What all requests share, with the headers of the SDK: only the body is missing."""
        headers = {
            name: value
            for name, value in self._client.default_headers.items()
            if isinstance(value, str)
        }
        headers["X-Stainless-Async"] = "async:asyncio"  # the SDK asks for the library in a loop
        path = "v1/messages"
        if betas:
            path, headers["anthropic-beta"] = f"{path}?beta=true", ",".join(betas)
        request = self._http.build_request(
            "POST",
            f"{self._endpoint.base_url.rstrip('/')}/{path}",
            headers=headers,
            timeout=self._timeout,
        )
        del request.headers["content-length"]
        return request

    async def _open(self, body: bytes) -> httpx2.Response:
        """Send an encoded request and return the response.

        It goes out on the SDK's own HTTP client. The SDK's `messages.stream` would copy the whole
        body three times and make a pydantic model of every event, and its `post` would prepare
        again what is equal for all requests, which takes longer than to send them (see
        docs/decisions.md).
        """
        prepared = self._prepared
        request = httpx2.Request(
            prepared.method,
            prepared.url,
            headers=prepared.headers.raw,
            content=body,
            extensions=prepared.extensions,
        )
        try:
            response = await self._http.send(request, stream=True)
        except httpx2.TimeoutException:
            raise
        except Exception as error:
            # Some errors of aiohttp have no counterpart in httpx2.
            raise SampleFailed(self._unreachable(error)) from error
        if response.is_success:
            return response
        async with aclosing(response):
            raise SampleFailed(self._refused(response, await response.aread()))

    # --- what went wrong ---

    def _clean(self, text: str) -> str:
        return clean(text, self._endpoint.key)

    def _refused(self, response: httpx2.Response, body: bytes) -> Failure:
        """The response was an error, perhaps one that no Messages API made."""
        text, status = body.decode(errors="replace").strip(), response.status_code
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

    def _unreachable(self, error: Exception) -> Failure:
        reason = self._clean(f"{type(error).__name__}: {error}")
        return failure(
            "unreachable", f"no connection to {self._place} ({reason}); is it running?", again=True
        )

    def _broken(self, error: Exception) -> Failure:
        """The connection failed while the request went out or the response came in."""
        if isinstance(error, httpx2.TimeoutException):
            return failure(
                "timeout",
                f"no answer from {self._place} in {self._endpoint.timeout_s:g} s",
                again=True,
            )
        reason = self._clean(f"{type(error).__name__}: {error}")
        return failure(
            "cut", f"the connection to {self._place} was cut in mid-answer ({reason})", again=True
        )

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
