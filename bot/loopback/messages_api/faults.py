"""Failures of a Messages API, each as the client sees it on the wire."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.plugin.models import ModelReply, Usage

_SOME = ModelReply(
    ({"type": "text", "text": "This reply will not arrive as a whole."},),
    "end_turn",
    Usage(100, 0, 0, 10),
    "loopback",
)


@dataclass(frozen=True)
class ErrorStatus:
    """An HTTP error before any stream.

    `headers` may hold retry-after, retry-after-ms or x-should-retry.
    """

    status: int
    type: str = "api_error"
    message: str = "scripted failure"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class StreamError:
    """Status 200, some events of `reply`, and then an `error` event."""

    type: str = "overloaded_error"
    message: str = "Overloaded"
    reply: ModelReply = _SOME
    after: int = 4
    """Events sent before it."""


@dataclass(frozen=True)
class Cut:
    """The socket closes after some events, in the middle of the chunked body.

    `then` is called at that moment.
    """

    reply: ModelReply = _SOME
    after: int = 4
    then: Callable[[], None] = field(default=lambda: None, repr=False)


@dataclass(frozen=True)
class NoMessageDelta:
    """The body ends properly, but without message_delta and message_stop."""

    reply: ModelReply = _SOME


@dataclass(frozen=True)
class BadToolJson:
    """A tool call whose streamed input is not JSON."""

    tool: str = "manage_todos"
    written: str = '{"action": nonsense'


@dataclass(frozen=True)
class IgnoreStream:
    """A complete JSON message, although the request asked for a stream."""

    reply: ModelReply = _SOME


@dataclass(frozen=True)
class Slow:
    """A good reply that pauses after some events until `go` is set."""

    reply: ModelReply
    go: asyncio.Event
    after: int = 4


@dataclass(frozen=True)
class OnlyPings:
    """A stream that only sends pings, without an answer, until `go` is set."""

    go: asyncio.Event
    pings: int = 20
    """How many pings it sends at once before it falls silent."""


Fault: TypeAlias = (
    ErrorStatus | StreamError | Cut | NoMessageDelta | BadToolJson | IgnoreStream | Slow | OnlyPings
)
