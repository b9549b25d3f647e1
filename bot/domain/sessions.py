"""Conversations, which everyone in a place sees, and sessions, which belong to one person.

See docs/rules.md#conversations-and-sessions.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, Self, cast

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.origins import BELLHOP, Origin, Trust, servers_of


def joined_parts(parts: Iterable[str]) -> str:
    """Texts of any characters as one, with `|` between them; `parts_of` takes it apart."""
    return "|".join(part.replace("%", "%25").replace("|", "%7C") for part in parts)


def parts_of(text: str) -> list[str]:
    return [part.replace("%7C", "|").replace("%25", "%") for part in text.split("|")]


@dataclass(frozen=True)
class SessionKey:
    """Platform, workspace, conversation and person, plus a run id in runs without a person."""

    platform: str
    workspace: str
    conversation: str
    person: str
    run: str = ""

    def __str__(self) -> str:
        return joined_parts(
            (self.platform, self.workspace, self.conversation, self.person, self.run)
        )

    @property
    def conversation_key(self) -> str:
        """The `Conversation.key` of its conversation."""
        return f"{self.platform}:{self.workspace}:{self.conversation}"

    @staticmethod
    def parse(text: str) -> "SessionKey":
        """The key in the name of a session. Raises ValueError for another text."""
        parts = parts_of(text)
        if len(parts) != 5:
            raise ValueError(f"{text!r} is not a session key")
        return SessionKey(*parts)


@dataclass(frozen=True, slots=True)
class StoredBlock:
    """One content block of the Messages API as it was sent, with its origin and privacy."""

    block: JsonObject
    origin: Origin = BELLHOP
    private: bool = False
    typed: str = ""
    """The part that the session's person typed, with ids for mentions. Only this vouches for
    targets.
    """
    spoken: bool = False
    """Whether its text is what the session's person said aloud. It vouches for nothing."""

    @property
    def said(self) -> str:
        """The person's own words, typed or spoken, to be read and learned from."""
        return self.typed or (str(self.block.get("text") or "") if self.spoken else "")

    def to_json(self) -> JsonObject:
        kept = {"block": self.block, "origin": self.origin.to_json(), "private": self.private}
        if self.spoken:
            kept["spoken"] = True
        return {**kept, "typed": self.typed} if self.typed else kept

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        return cls(
            data["block"],
            Origin.from_json(data["origin"]),
            bool(data["private"]),
            data.get("typed", ""),
            bool(data.get("spoken")),
        )


def text_block(text: str) -> JsonObject:
    """A text as a content block of the Messages API."""
    return {"type": "text", "text": text}


IMAGE_CHARS = 6_400
"""The size that an image counts as: about 1,600 tokens, whatever its bytes."""


PICTURES = frozenset({"image", "document"})
"""The kinds of blocks that a model without eyes refuses."""


def pictures_in(block: JsonObject) -> Iterator[JsonObject]:
    """The pictures of a block: itself, or those within a result of a tool."""
    if block.get("type") in PICTURES:
        yield block
    elif block.get("type") == "tool_result" and isinstance(block.get("content"), list):
        for part in cast("list[JsonObject]", block["content"]):
            yield from pictures_in(part)


def as_source(picture: JsonObject) -> JsonObject:
    """Where a picture comes from: its type and its data."""
    return cast("JsonObject", picture.get("source") or {})


def picture_name(picture: JsonObject) -> str:
    """The name by which a picture can be handed over: by its content, so it is always the same."""
    source = as_source(picture)
    digest = sha256(str(source.get("data", "")).encode()).hexdigest()[:8]
    ending = str(source.get("media_type", "")).partition("/")[2].replace("jpeg", "jpg")
    return f"picture-{digest}.{ending}"


def without_pictures(block: JsonObject, why: str) -> JsonObject:
    """The block with a line in the place of each picture, which says why it is not there."""
    if block.get("type") in PICTURES:
        source = as_source(block)
        kind, size = (
            source.get("media_type", "picture"),
            len(str(source.get("data") or "")) * 3 // 4,
        )
        return text_block(f"[a picture, {kind}, {size:,} bytes, is not shown here: {why}]")
    if not any(pictures_in(block)):
        return block
    content = [without_pictures(part, why) for part in block["content"]]
    return {**block, "content": content}


def count_chars(value: Any) -> int:
    """The characters of a block or list of blocks, as counted against a model's window."""
    if isinstance(value, dict):
        fields = cast("JsonObject", value)
        if fields.get("type") == "image":
            return IMAGE_CHARS
        return sum(len(key) + count_chars(item) + 6 for key, item in fields.items())
    if isinstance(value, list | tuple):
        return sum(count_chars(item) for item in cast("Sequence[Any]", value))
    return len(value) if isinstance(value, str) else 4


@dataclass(frozen=True)
class TranscriptMessage:
    """One message of a transcript, which is append-only within an epoch."""

    role: Literal["user", "assistant", "system"]
    blocks: tuple[StoredBlock, ...]

    @cached_property
    def api(self) -> JsonObject:
        """The message in the form of requests: one shared object, which nobody may change."""
        return {"role": self.role, "content": [stored.block for stored in self.blocks]}

    @cached_property
    def pictures(self) -> tuple[str, ...]:
        """A short hash for each picture in it."""
        found = (one for stored in self.blocks for one in pictures_in(stored.block))
        return tuple(
            sha256(json.dumps(one, sort_keys=True).encode("utf-8", "replace")).hexdigest()[:16]
            for one in found
        )

    @cached_property
    def picture_bytes(self) -> int:
        """The characters that its pictures take in a request."""
        found = (one for stored in self.blocks for one in pictures_in(stored.block))
        return sum(len(str(as_source(one).get("data") or "")) for one in found)

    @cached_property
    def _described(self) -> dict[str, JsonObject]:
        return {}

    def described(self, why: str) -> JsonObject:
        """The message in the form of requests without its pictures; shared like `api`."""
        if why not in self._described:
            content = [without_pictures(stored.block, why) for stored in self.blocks]
            self._described[why] = {"role": self.role, "content": content}
        return self._described[why]

    @cached_property
    def trust(self) -> Trust:
        """The least trusted origin among its blocks."""
        return max((stored.origin.trust for stored in self.blocks), default=Trust.OPERATOR)

    @cached_property
    def servers(self) -> frozenset[str]:
        """The MCP servers whose own words about their tools a model reads in it."""
        read = (servers_of(stored.origin) for stored in self.blocks if self.role == "user")
        return frozenset[str]().union(*read)

    @cached_property
    def chars(self) -> int:
        """Its size (`count_chars`), cached so that long sessions stay cheap."""
        return sum(count_chars(stored.block) for stored in self.blocks)

    def to_json(self) -> JsonObject:
        return {"role": self.role, "blocks": [stored.to_json() for stored in self.blocks]}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        return cls(data["role"], tuple(StoredBlock.from_json(item) for item in data["blocks"]))


def history_chars(messages: Iterable[TranscriptMessage]) -> int:
    return sum(message.chars for message in messages)


class FrozenSizes:
    """Sizes of frozen systems and tools in characters: later turns find the same objects."""

    _MOST = 64

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Sequence[JsonObject], int]] = {}

    def chars(self, parts: Sequence[JsonObject]) -> int:
        kept = self._kept.get(id(parts))
        if kept is None:
            if len(self._kept) >= self._MOST:
                self._kept.clear()
            # Keep the parts themselves, so that no other object can get their id.
            kept = self._kept[id(parts)] = (parts, count_chars(parts))
        return kept[1]


@dataclass(frozen=True)
class Session:
    """One session of a person with the assistant.

    `system` and `tools` are frozen for the epoch.
    """

    id: str
    key: SessionKey
    agent: str
    role: Role
    opened_at: datetime
    last_at: datetime
    epoch: int = 1
    system: tuple[JsonObject, ...] = ()
    tools: tuple[JsonObject, ...] = ()
    unlocked: tuple[JsonObject, ...] = field(default=())
    """Declarations unlocked so far, in order of unlocking."""
    active_skills: tuple[str, ...] = ()
    seen_message: int = 0
    """The last row of `messages` that this session has seen of its conversation."""
    private: bool = True
    dialect: str = ""
    """`ModelCapabilities.dialect` of the model that it was opened for; empty: unknown."""
    shared: bool = False
    """Whether people of other companies could read the place when it opened."""
