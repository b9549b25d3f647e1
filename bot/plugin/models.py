"""For model providers: what is asked of a language model, and what it answers.

`added_tool` and those beside it read how found tools stand in a request, for a provider that knows
more ways than `Unlock.APPEND`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject as JsonObject
from bot.domain.json_types import as_object as as_object
from bot.domain.json_types import as_objects as as_objects
from bot.domain.json_types import as_values as as_values
from bot.domain.models import OFFLINE_NAME as OFFLINE_NAME
from bot.domain.models import DeltaReset as DeltaReset
from bot.domain.models import DeltaText as DeltaText
from bot.domain.models import DeltaThinking as DeltaThinking
from bot.domain.models import Model as Model
from bot.domain.models import ModelCapabilities as ModelCapabilities
from bot.domain.models import ModelDelta as ModelDelta
from bot.domain.models import ModelReply as ModelReply
from bot.domain.models import ModelRequest as ModelRequest
from bot.domain.models import ModelSize as ModelSize
from bot.domain.models import Unlock as Unlock
from bot.domain.models import Usage as Usage
from bot.domain.models import Warms as Warms
from bot.errors import ModelError as ModelError
from bot.errors import ModelTrouble as ModelTrouble
from bot.llm.blocks import blocks_of as blocks_of
from bot.llm.settings import ModelSettings as ModelSettings
from bot.llm.unlocking import CALL_TOOL as CALL_TOOL
from bot.llm.unlocking import added_tool as added_tool
from bot.llm.unlocking import dispatched as dispatched
from bot.llm.unlocking import referenced_tools as referenced_tools
from bot.llm.unlocking import removed_tool as removed_tool
from bot.llm.unlocking import through_dispatcher as through_dispatcher
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
