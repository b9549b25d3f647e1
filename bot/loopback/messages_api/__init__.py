"""A loopback Anthropic Messages API: scripted, strict about history, with faults."""

from bot.loopback.messages_api.faults import (
    BadToolJson,
    Cut,
    ErrorStatus,
    Fault,
    IgnoreStream,
    NoMessageDelta,
    OnlyPings,
    Slow,
    StreamError,
)
from bot.loopback.messages_api.server import Answer, MessagesApi, RecordedRequest

__all__ = [
    "Answer",
    "BadToolJson",
    "Cut",
    "ErrorStatus",
    "Fault",
    "IgnoreStream",
    "MessagesApi",
    "NoMessageDelta",
    "OnlyPings",
    "RecordedRequest",
    "Slow",
    "StreamError",
]
