"""The model of a house that is opened to look or to change something: nobody asks it."""

from collections.abc import Callable

from bot.domain.models import (
    OFFLINE_NAME,
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
    Unlock,
)
from bot.errors import ModelError, ModelTrouble


class NoModel:
    """Implements `domain.models.Model`; it needs no key and answers nothing."""

    capabilities = ModelCapabilities(
        Unlock.INLINE, system_notes=True, context_tokens=200_000, offline=True, label="no model"
    )

    def name(self, size: ModelSize) -> str:
        return OFFLINE_NAME

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        raise ModelError(ModelTrouble("unreachable", "this command works without a model"))

    async def close(self) -> None:
        """Nothing is open."""
