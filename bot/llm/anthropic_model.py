"""The Messages API: requests, streams of events, and what can go wrong with both."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import ParamSpec, TypeVar

from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject, as_object
from bot.domain.models import ModelCapabilities, ModelDelta, ModelReply, ModelRequest, ModelSize
from bot.llm.endpoint import Endpoint
from bot.llm.failures import (
    NO_API,
    Failure,
    SampleFailed,
    clean,
    failure,
    from_status,
    names_pictures,
)
from bot.llm.reply_builder import ReplyBuilder, StreamRefused
from bot.llm.requests import BodyCache
from bot.llm.retry import RetryPolicy, TryProgress, with_retries
from bot.llm.sdk_transport import CutOff, NoResponse, Response, SdkTransport, TimedOut
from bot.llm.sse import EventStreamReader, ServerEvent

P = ParamSpec("P")
T = TypeVar("T")

# Errors of reading an invalid stream.
_GARBAGE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
_QUOTED_CHARS = 100
"""Characters of what a server sent that an error quotes for the operator."""


class AnthropicModel:
    """Implements `domain.models.Model` for Anthropic and compatible servers. It always streams."""

    def __init__(self, endpoint: Endpoint, clock: Clock) -> None:
        self._endpoint = endpoint
        self._clock = clock
        self._place = endpoint.base_url.rsplit("@", 1)[-1]
        self._policy = RetryPolicy(endpoint.attempts)
        self._bodies = BodyCache(endpoint)
        self._transport = SdkTransport(endpoint)

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
            except SampleFailed as error:
                failed = error.failure
                if request.pictures and names_pictures(failed.trouble.detail):
                    raise SampleFailed(replace(failed, again=False)) from None
                raise

        policy = RetryPolicy(1) if request.once else self._policy
        return await with_retries(attempt, on_delta, policy, self._clock)

    async def close(self) -> None:
        await self._transport.aclose()

    async def look_up(self, path: str, body: JsonObject | None = None) -> JsonObject | None:
        """Ask the server about itself at this path; None if it gives no usable answer."""
        try:
            found: object = json.loads(await self._transport.look_up(path, body))
        except (NoResponse, CutOff, TimedOut, *_GARBAGE):
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
        builder, reader, first = ReplyBuilder(), EventStreamReader(), b""
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
                        first = first or piece
                        for event in self._sense(headers, reader.feed, piece):
                            progress.came(event)
                            if delta := self._sense(headers, builder.add, event):
                                show(delta)
        except (NoResponse, TimedOut, CutOff) as error:
            raise SampleFailed(self._broken(error)) from error
        if not builder.whole:
            raise SampleFailed(self._unfinished(builder, headers, first))
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
            told = self._nonsense(error, args)
            # LM Studio answers so, with HTTP 200, at addresses that it doesn't know.
            unknown = "unexpected endpoint" in told.casefold()
            failed = failure("nonsense", told + NO_API * unknown, again=True)
        raise SampleFailed(failed)

    async def _open(self, body: Sequence[bytes]) -> Response:
        """Send an encoded request and return the response. Raises SampleFailed, and like `send`."""
        response = await self._transport.send(body)
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

    def _nonsense(self, error: Exception, read: Sequence[object]) -> str:
        quoted = "".join(
            f"; it sent {self._quoted(came)}"
            for came in read
            if isinstance(came, ServerEvent | bytes)
        )
        return (
            "the server sent a stream that makes no sense "
            f"({self._clean(f'{type(error).__name__}: {error}')}{quoted})"
        )

    def _unfinished(
        self, builder: ReplyBuilder, headers: Mapping[str, str], first: bytes
    ) -> Failure:
        if builder.begun:
            return failure("cut", "the reply ended in the middle", again=True)
        told = "the server sent no events; it may ignore `stream`"
        if first:
            kind = _content_type(headers) or "something without a type"
            told = (
                f"the server sent no events but {kind}: {self._quoted(first)}; check"
                " model.base_url, and whether a proxy or another API answers there"
            )
        return failure("nonsense", told, again=True)

    def _quoted(self, came: ServerEvent | bytes) -> str:
        """The beginning of what came."""
        text = came.decode(errors="replace") if isinstance(came, bytes) else " ".join(came)
        return repr(self._clean(text)[:_QUOTED_CHARS])


def _is_json(headers: Mapping[str, str]) -> bool:
    """Whether the server ignored `stream` and answered with the whole message."""
    return _content_type(headers) == "application/json"


def _content_type(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()
