"""Calls to a platform that another process is connected to, as JSON.

A call is one of the methods that `METHODS` lists. Its arguments and its result are what the
method's own signature says.
"""

import inspect
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, get_type_hints

from pydantic import TypeAdapter

from bot.domain.chat import (
    ChatAdapter,
    KnowsMembers,
    KnowsReaders,
    LiveReply,
    Probed,
    SearchesItself,
    Shows,
    ShowsWaiting,
)
from bot.domain.forums import KnowsForums
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.messages import Attachment, OutgoingMessage, Receipt
from bot.domain.people import KnowsProfiles
from bot.domain.polls import KnowsPolls
from bot.domain.server_events import KnowsServerEvents
from bot.errors import DeliveryError

P = ParamSpec("P")
R = TypeVar("R")

AdapterMethod: TypeAlias = Callable[Concatenate[Any, P], Awaitable[R]]
"""A method of a Protocol or of `GatewayLine`, as written there: the object comes first."""
KeepFile: TypeAlias = Callable[[AsyncGenerator[bytes]], Awaitable[str]]
"""Stores the pieces of a file as a blob of the home, and returns the name of the blob.

Raises StorageError, and what the pieces raise.
"""


@dataclass(frozen=True)
class AdapterCall:
    """One call. `method` is a name in `METHODS`."""

    method: str
    arguments: JsonObject


@dataclass
class ShownLive:
    """A live view of another process, at its gateway."""

    line: str
    turn: str
    live: LiveReply
    heard: float


@dataclass(frozen=True)
class GatewayLine:
    """A line at the gateway that serves it: what its adapter does in another way for callers."""

    adapter: ChatAdapter
    keep_file: KeepFile
    lives: MutableMapping[str, ShownLive]

    async def send(self, message: OutgoingMessage, key: str, live: str = "") -> Receipt:
        """Send a message; `live` names an open live view, whose draft becomes the message."""
        shown = self.lives.get(live)
        return await self.adapter.send(message, key, None if shown is None else shown.live)

    async def fetch(self, attachment: Attachment) -> str:
        """Store a file as a blob of the home, and return the name of the blob."""
        async with aclosing(self.adapter.fetch(attachment)) as pieces:
            return await self.keep_file(pieces)

    async def close_live(self, live: str) -> None:
        if (shown := self.lives.pop(live, None)) is not None:
            await shown.live.close()


_ONCE: tuple[Callable[..., Any], ...] = (
    GatewayLine.send,
    ChatAdapter.close_card,
    KnowsPolls.post,
    KnowsPolls.end,
    KnowsForums.change,
    KnowsServerEvents.make,
    KnowsServerEvents.cancel,
)
_AT_ONCE: tuple[Callable[..., Any], ...] = (
    GatewayLine.fetch,
    GatewayLine.close_live,
    ChatAdapter.find_sent,
    Shows.shows,
    ShowsWaiting.waits,
    Probed.probe,
    KnowsMembers.member,
    KnowsProfiles.profile,
    KnowsReaders.may_read,
    KnowsReaders.may_write,
    KnowsReaders.visibility,
    KnowsReaders.reads_like_channel,
    KnowsReaders.channel_named,
    KnowsReaders.link,
    KnowsReaders.name_of,
    SearchesItself.said_with,
    KnowsPolls.may_post,
    KnowsPolls.may_end,
    KnowsPolls.find,
    KnowsPolls.newest,
    KnowsForums.moderates,
    KnowsForums.find,
    KnowsServerEvents.may_make,
    KnowsServerEvents.may_cancel,
    KnowsServerEvents.ahead,
)
METHODS: Mapping[str, Callable[..., Any]] = {one.__qualname__: one for one in (*_ONCE, *_AT_ONCE)}
"""What a gateway does for other processes, and nothing else."""
ONCE = frozenset(one.__qualname__ for one in _ONCE)
"""Calls that people see; a gateway makes one only while its caller still waits for it."""

_PARTS = {
    "KnowsReaders": "readers",
    "SearchesItself": "readers",
    "KnowsPolls": "polls",
    "KnowsForums": "forums",
    "KnowsServerEvents": "server_events",
}
"""The attribute of an adapter that has the methods of a Protocol, if it is not the adapter."""
_LACKS = {
    "KnowsReaders": "can't tell who reads a channel",
    "KnowsPolls": "has no polls",
    "KnowsForums": "has no forums",
    "KnowsServerEvents": "has no events",
    "Shows": "can't tell",
    "KnowsMembers": "can't tell",
}
"""What is said of an adapter without these methods; without others nothing is done."""


async def make(line: GatewayLine, method: str, *args: Any, **kwargs: Any) -> Any:
    """Make a call. Raises DeliveryError, also if the adapter doesn't support the call."""
    owner, _, name = method.partition(".")
    own = line if owner == GatewayLine.__name__ else line.adapter
    holder = getattr(own, _PARTS[owner], None) if owner in _PARTS else own
    made = getattr(holder, name, None)
    if made is None and owner in _LACKS:
        raise DeliveryError(f"{line.adapter.platform} {_LACKS[owner]}")
    if made is None:
        return () if owner == SearchesItself.__name__ else None
    result = made(*args, **kwargs)
    return await result if inspect.isawaitable(result) else result


async def make_call(line: GatewayLine, call: AdapterCall) -> JsonValue:
    """Make the call of another process. Raises DeliveryError."""
    if call.method not in METHODS:
        raise DeliveryError(f"this gateway knows no {call.method}", retryable=True)
    signature, types = _types(call.method)
    try:
        read = {name: _read(types[name], value) for name, value in call.arguments.items()}
        given = signature.bind(**read)
    except (ValueError, TypeError, LookupError):  # their words may quote what people wrote
        error = f"the arguments of {call.method} are not those of this version"
        raise DeliveryError(error, retryable=True) from None
    result = await make(line, call.method, *given.args, **given.kwargs)
    return types["return"].dump_python(result, mode="json")


def call_of(method: AdapterMethod[P, Any], *args: P.args, **kwargs: P.kwargs) -> AdapterCall:
    """A call of one of `METHODS`, for another process."""
    signature, types = _types(method.__qualname__)
    given = signature.bind(*args, **kwargs).arguments
    written = {name: types[name].dump_python(one, mode="json") for name, one in given.items()}
    return AdapterCall(method.__qualname__, written)


def result_from_json(call: AdapterCall, value: JsonValue) -> Any:
    """Decode the result of a call. Raises ValueError if it doesn't fit the call."""
    return _read(_types(call.method)[1]["return"], value)


def _read(kind: TypeAdapter[Any], value: object) -> Any:
    return kind.validate_json(json.dumps(value))


@cache
def _types(method: str) -> tuple[inspect.Signature, Mapping[str, TypeAdapter[Any]]]:
    """The parameters of a method without its object; the types of these, and of its result."""
    written = inspect.signature(METHODS[method])
    signature = written.replace(parameters=[*written.parameters.values()][1:])
    hints = get_type_hints(METHODS[method])
    return signature, {name: adapter_for(hint) for name, hint in hints.items()}


@cache
def adapter_for(kind: Any) -> TypeAdapter[Any]:
    """The reader and writer of a type, made when it is first used."""
    return TypeAdapter(kind)
