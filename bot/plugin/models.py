"""For model providers: what is asked of a language model, and what it answers.

`added_tool` and those beside it read how found tools stand in a request, for a provider that knows
more ways than `Unlock.APPEND`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject, as_object, as_objects, as_values
from bot.domain.models import (
    OFFLINE_NAME,
    DeltaReset,
    DeltaText,
    DeltaThinking,
    Model,
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
    Unlock,
    Usage,
    Warms,
)
from bot.errors import ModelError, ModelTrouble
from bot.llm.blocks import blocks_of
from bot.llm.settings import ModelSettings
from bot.llm.unlocking import (
    CALL_TOOL,
    added_tool,
    dispatched,
    referenced_tools,
    removed_tool,
    through_dispatcher,
)
from bot.settings import Section

S = TypeVar("S", bound=Section)


@dataclass(frozen=True)
class ModelParts(Generic[S]):
    """What a provider builds its model from."""

    settings: S
    """The section of its plug-in."""
    model: ModelSettings
    """`model:` of bellhop.yaml."""
    secret: Callable[[str], str]
    """A secret of its plug-in by name; empty if there is none."""
    clock: Clock


@dataclass(frozen=True)
class ModelProvider:
    """A language model that `model.provider` can name."""

    name: str
    build: Callable[[ModelParts[Any]], Model]
    """The model; nothing is connected yet. Raises SettingsError."""
