"""Builds a request body from the caller's request and the endpoint's fields.

Equal prefixes give equal bytes. Each message and each frozen prefix is encoded once.
"""

import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import is_

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelRequest, Unlock
from bot.llm.endpoint import Endpoint
from bot.llm.unlocking import INLINE_TOOLS_BETA

_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_SHARED: JsonObject = {"type": "ephemeral", "ttl": "1h"}
"""All sessions of an agent and role share the first system block, so it is cached for an hour."""
_CONVERSATION: JsonObject = {"type": "ephemeral"}
"""For 5 minutes, renewed by each request: who writes seldom would pay twice for a longer one."""
_KEPT_BYTES = 48_000_000
"""The most bytes of all conversations; the least recently used are dropped.

The conversation in use is kept at any size; otherwise each of its requests would be encoded whole.
"""
_MESSAGE_BYTES = 1_000
"""What a message takes besides its encoded bytes: it is kept alive, too."""
BLOCK_BYTES = 128_000
"""Messages are joined to blocks of at least this size, once.

A body is sent in blocks. Joining a long one for each request would take memory of its size, and
more time than sending it.
"""
_KEPT_PREFIXES = 32
_EMPTY = b'"messages":[]'


def request_body(endpoint: Endpoint, request: ModelRequest) -> JsonObject:
    """The JSON to send, for a streamed answer. The caller's objects are shared, never changed.

    Breakpoints (at most 4 are allowed): the first and the last system block; on Anthropic's API the
    conversation's end as well, which the automatic breakpoint follows.
    """
    body: JsonObject = {
        "model": endpoint.names[request.size],
        "max_tokens": min(request.max_tokens, endpoint.max_tokens),
    }
    if request.system:
        body["system"] = _with_breakpoints(request.system)
    if request.tools:
        body["tools"] = list(request.tools)
    body["messages"] = list(request.messages)
    if endpoint.anthropic:
        body["cache_control"] = _CONVERSATION
    if endpoint.thinks(request.size):
        body["thinking"] = {"type": "adaptive", "display": "summarized"}
    if config := _output_config(endpoint, request):
        body["output_config"] = config
    body["stream"] = True
    return body


def _output_config(endpoint: Endpoint, request: ModelRequest) -> JsonObject:
    config: JsonObject = {}
    if endpoint.effort and (endpoint.thinks(request.size) or not endpoint.anthropic):
        config["effort"] = endpoint.effort
    if request.answer_schema is not None and endpoint.anthropic:
        config["format"] = {"type": "json_schema", "schema": request.answer_schema}
    return config


def encode_body(body: JsonObject) -> bytes:
    """Encode a body for sending. Lone surrogates, which JSON must not hold, become `?`."""
    return _ENCODE(body).encode("utf-8", "replace")


def request_betas(endpoint: Endpoint) -> list[str]:
    """The same for every request of an endpoint, so a session's first unlock changes nothing."""
    return [INLINE_TOOLS_BETA] if endpoint.capabilities.unlock is Unlock.INLINE else []


def _with_breakpoints(system: tuple[JsonObject, ...]) -> list[JsonObject]:
    blocks = list(system)
    blocks[-1] = {**blocks[-1], "cache_control": _CONVERSATION}
    blocks[0] = {**blocks[0], "cache_control": _SHARED}
    return blocks


@dataclass
class _Conversation:
    """A conversation and its encoded messages; each but the first begins with a comma.

    The messages are kept so that no other object gets their identity.
    """

    messages: list[JsonObject] = field(default_factory=list[JsonObject])
    encoded: list[bytes] = field(default_factory=list[bytes])
    """Whole blocks, then single messages."""
    blocks: int = 0
    size: int = 0
    _loose: int = 0
    """Bytes of the messages that are in no block yet."""

    def begins(self, messages: Sequence[JsonObject]) -> bool:
        """Whether `messages` extend what is encoded: the same objects, which nobody changes."""
        # In C: a long conversation is compared at each request.
        return len(self.messages) <= len(messages) and all(map(is_, self.messages, messages))

    def extend(self, messages: Sequence[JsonObject], block_bytes: int) -> int:
        """Encode the messages that are new; returns the bytes of memory that they take."""
        before = self.size
        for message in messages:
            encoded = encode_body(message)
            self.encoded.append(b"," + encoded if self.messages else encoded)
            self.messages.append(message)
            self.size += _MESSAGE_BYTES + len(self.encoded[-1])
            self._loose += len(self.encoded[-1])
            if self._loose >= block_bytes:
                self.encoded[self.blocks :] = [b"".join(self.encoded[self.blocks :])]
                self.blocks, self._loose = len(self.encoded), 0
        return self.size - before

    def between(self, before: bytes, after: bytes) -> list[bytes]:
        """The pieces of a body that begins and ends with these bytes."""
        loose = self.encoded[self.blocks :]
        if not self.blocks:
            return [b"".join((before, *loose, after))]
        return [before, *self.encoded[: self.blocks], b"".join((*loose, after))]


@dataclass(frozen=True)
class _Prefix:
    request: ModelRequest
    before: bytes
    after: bytes


class BodyCache:
    """Gives the bytes of `encode_body(request_body(endpoint, request))`, in pieces and faster."""

    def __init__(
        self, endpoint: Endpoint, most_bytes: int = _KEPT_BYTES, block_bytes: int = BLOCK_BYTES
    ) -> None:
        self._endpoint = endpoint
        self._most, self._block_bytes = most_bytes, block_bytes
        self._conversations: OrderedDict[int, _Conversation] = OrderedDict()
        self._bytes = 0
        self._prefixes: OrderedDict[tuple[int, int, int, str], _Prefix] = OrderedDict()

    def pieces(self, request: ModelRequest) -> list[bytes]:
        """The body to send, which is these pieces one after another; a short one is whole."""
        prefix = self._prefix(request)
        return self._conversation(request.messages).between(prefix.before, prefix.after)

    def _prefix(self, request: ModelRequest) -> _Prefix:
        key = (id(request.system), id(request.tools), request.max_tokens, request.size.value)
        kept = self._prefixes.get(key)
        if kept is None:
            frozen = replace(request, messages=())
            # The last empty list of messages is ours: texts before it have their quotes escaped.
            before, _, after = encode_body(request_body(self._endpoint, frozen)).rpartition(_EMPTY)
            kept = self._prefixes[key] = _Prefix(frozen, before + _EMPTY[:-1], _EMPTY[-1:] + after)
            if len(self._prefixes) > _KEPT_PREFIXES:
                self._prefixes.popitem(last=False)
        self._prefixes.move_to_end(key)
        return kept

    def _conversation(self, messages: tuple[JsonObject, ...]) -> _Conversation:
        if not messages:
            return _Conversation()
        key = id(messages[0])
        kept = self._conversations.get(key)
        if kept is None or not kept.begins(messages):
            self._bytes -= kept.size if kept else 0
            kept = self._conversations[key] = _Conversation()
        self._bytes += kept.extend(messages[len(kept.messages) :], self._block_bytes)
        self._conversations.move_to_end(key)
        while self._bytes > self._most and len(self._conversations) > 1:
            _, dropped = self._conversations.popitem(last=False)
            self._bytes -= dropped.size
        return kept
