"""For model providers: what is asked of a language model, and what it answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.models import (
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
)
from bot.errors import ModelError, ModelTrouble
from bot.llm.blocks import as_object, as_objects, blocks_of
from bot.llm.settings import ModelSettings
from bot.settings import Section

__all__ = [
    "DeltaReset",
    "DeltaText",
    "DeltaThinking",
    "JsonObject",
    "Model",
    "ModelCapabilities",
    "ModelDelta",
    "ModelError",
    "ModelParts",
    "ModelProvider",
    "ModelReply",
    "ModelRequest",
    "ModelSettings",
    "ModelSize",
    "ModelTrouble",
    "Unlock",
    "Usage",
    "as_object",
    "as_objects",
    "blocks_of",
]

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
