"""The interface to language models: one sample of the Messages API."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, Self, TypeAlias, runtime_checkable

from bot.domain.json_types import JsonObject


class Unlock(StrEnum):
    """How newly found tools reach the model; configured per provider, never inferred.

    See docs/rules.md#finding-tools.
    """

    INLINE = "inline"
    """`tool_addition` blocks in a system message: the prefix stays byte-identical."""
    REFERENCE = "reference"
    """`tool_reference` blocks to deferred tools."""
    APPEND = "append"
    """The definition is added at the end of `tools`: one prefix miss per search."""
    DISPATCH = "dispatch"
    """One fixed `call_tool(name, arguments)`; schemas as text."""


OFFLINE_NAME = "bellhop-offline"
"""What a model without a provider is called. Budgets know that it costs nothing."""


class ModelSize(StrEnum):
    """Which configured model a request goes to."""

    MAIN = "main"
    CHEAP = "cheap"
    PLAN = "plan"


class Images(StrEnum):
    """Whether a model is sent pictures (`model.images`)."""

    AUTO = "auto"
    """Until it refuses them."""
    ON = "on"
    OFF = "off"


@dataclass(frozen=True)
class ModelCapabilities:
    unlock: Unlock
    system_notes: bool
    """`role:"system"` messages are accepted inside `messages`."""
    context_tokens: int
    offline: bool = False
    label: str = ""
    """For people: `claude-sonnet-5-5`, `qwen3 at localhost:11434`, `the offline model`."""
    images: Images = Images.AUTO
    fallback: Mapping["ModelSize", str] = field(default_factory=dict["ModelSize", str], hash=False)
    """Models that may answer instead, while the others can't (`model.fallback`)."""

    @property
    def dialect(self) -> str:
        """The format of stored transcripts. A session with another dialect ends."""
        return f"{self.unlock}{'' if self.system_notes else ', no notes'}"


@dataclass(frozen=True)
class ModelRequest:
    """One request body, without the client's fields (model id, cache marks, thinking, stream)."""

    system: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...]
    messages: tuple[JsonObject, ...]
    max_tokens: int
    size: ModelSize = ModelSize.MAIN
    answer_schema: JsonObject | None = None
    """JSON Schema of the answer. Providers without schemas get it only in the instructions."""
    pictures: bool = False
    """Whether the messages hold pictures: an error about them is then no reason to try again."""
    once: bool = False
    """It is not tried again after a failure."""
    turn: str = ""
    """`conversation/turn`: in a turn the same model answers, as far as that can be."""


@dataclass(frozen=True)
class Usage:
    """Tokens as the provider counts them; total input is the sum of the three input figures."""

    input_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0

    @property
    def total_input(self) -> int:
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    def to_json(self) -> JsonObject:
        """Its fields by name: `Usage(**json)` reads them back."""
        return dict(vars(self))

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.output_tokens + other.output_tokens,
        )


@dataclass(frozen=True)
class ModelReply:
    """One complete sample.

    `content` holds the blocks as the API gave them (unknown types included), as JSON.
    """

    content: tuple[JsonObject, ...]
    stop_reason: str
    usage: Usage
    model: str
    request_id: str | None = None
    attempts: int = 1
    answered_by: str = ""
    """The configured name of the fallback that answered; empty: the model that was asked."""

    def to_json(self) -> JsonObject:
        told: JsonObject = {"answered_by": self.answered_by} if self.answered_by else {}
        return {
            **told,
            "content": list(self.content),
            "stop_reason": self.stop_reason,
            "usage": self.usage.to_json(),
            "model": self.model,
            "request_id": self.request_id,
            "attempts": self.attempts,
        }

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        return cls(
            tuple(data["content"]),
            data["stop_reason"],
            Usage(**data["usage"]),
            data["model"],
            data["request_id"],
            data["attempts"],
            data.get("answered_by", ""),
        )

    @property
    def text(self) -> str:
        return "".join(
            str(block.get("text") or "") for block in self.content if block.get("type") == "text"
        ).strip()


@dataclass(frozen=True)
class DeltaText:
    text: str


@dataclass(frozen=True)
class DeltaThinking:
    text: str


@dataclass(frozen=True)
class DeltaReset:
    """The sample was cut off and is retried: drop the deltas so far."""

    reason: str


ModelDelta: TypeAlias = DeltaText | DeltaThinking | DeltaReset


class Model(Protocol):
    """Anthropic-compatible, offline, or `bot.testing.ScriptedModel`."""

    @property
    def capabilities(self) -> ModelCapabilities: ...

    def name(self, size: ModelSize) -> str:
        """The provider's id of this size."""
        ...

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        """Make one whole sample, streaming deltas.

        Retries whole samples itself; raises ModelError when it gives up.
        """
        ...

    async def close(self) -> None: ...


@runtime_checkable
class Warms(Protocol):
    """A model that loads something large before its first answer."""

    async def warm(self) -> None:
        """Load it now, in a thread, so that the first sample doesn't wait for it."""
        ...
