"""Request bodies as bytes: each message and each frozen prefix is encoded once."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import is_

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelRequest
from bot.llm.endpoint import Endpoint
from bot.llm.requests import encode_body, request_body

KEPT_BYTES = 12_000_000
"""The most bytes of all encoded conversations; the least recently used are dropped.

The conversation in use is kept at any size; otherwise each of its requests would be encoded whole.
"""
KEPT_PREFIXES = 32
_EMPTY = b'"messages":[]'


@dataclass
class _Conversation:
    """A conversation and its encoded messages; each but the first begins with a comma.

    The messages are kept so that no other object gets their identity. They are encoded separately,
    so that no block of memory grows with a session.
    """

    messages: list[JsonObject] = field(default_factory=list[JsonObject])
    encoded: list[bytes] = field(default_factory=list[bytes])
    size: int = 0

    def begins(self, messages: Sequence[JsonObject]) -> bool:
        """Whether `messages` extend what is encoded: the same objects, which nobody changes."""
        # In C: a long conversation is compared at each request.
        return len(self.messages) <= len(messages) and all(map(is_, self.messages, messages))

    def extend(self, messages: Sequence[JsonObject]) -> int:
        """Encode the messages that are new; returns the number of bytes that they add."""
        before = self.size
        for message in messages:
            encoded = encode_body(message)
            self.encoded.append(b"," + encoded if self.messages else encoded)
            self.messages.append(message)
            self.size += len(self.encoded[-1])
        return self.size - before


@dataclass(frozen=True)
class _Prefix:
    request: ModelRequest
    before: bytes
    after: bytes


class BodyCache:
    """Gives the bytes of `encode_body(request_body(endpoint, request))`, faster."""

    def __init__(self, endpoint: Endpoint, most_bytes: int = KEPT_BYTES) -> None:
        self._endpoint = endpoint
        self._most = most_bytes
        self._conversations: OrderedDict[int, _Conversation] = OrderedDict()
        self._bytes = 0
        self._prefixes: OrderedDict[tuple[int, int, int, str], _Prefix] = OrderedDict()

    def encode(self, request: ModelRequest) -> bytes:
        """The body to send."""
        prefix = self._prefix(request)
        return b"".join((prefix.before, *self._messages(request.messages), prefix.after))

    def _prefix(self, request: ModelRequest) -> _Prefix:
        key = (id(request.system), id(request.tools), request.max_tokens, request.size.value)
        kept = self._prefixes.get(key)
        if kept is None:
            frozen = replace(request, messages=())
            # The last empty list of messages is ours: texts before it have their quotes escaped.
            before, _, after = encode_body(request_body(self._endpoint, frozen)).rpartition(_EMPTY)
            kept = self._prefixes[key] = _Prefix(frozen, before + _EMPTY[:-1], _EMPTY[-1:] + after)
            if len(self._prefixes) > KEPT_PREFIXES:
                self._prefixes.popitem(last=False)
        self._prefixes.move_to_end(key)
        return kept

    def _messages(self, messages: tuple[JsonObject, ...]) -> list[bytes]:
        if not messages:
            return []
        key = id(messages[0])
        kept = self._conversations.get(key)
        if kept is None or not kept.begins(messages):
            self._bytes -= kept.size if kept else 0
            kept = self._conversations[key] = _Conversation()
        self._bytes += kept.extend(messages[len(kept.messages) :])
        self._conversations.move_to_end(key)
        while self._bytes > self._most and len(self._conversations) > 1:
            _, dropped = self._conversations.popitem(last=False)
            self._bytes -= dropped.size
        return kept.encoded
