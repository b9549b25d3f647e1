"""The offline model: what answers where no language model is set up."""

import asyncio
from collections.abc import Callable
from typing import Any

from bot.plugin.clock import Clock
from bot.plugin.models import (
    OFFLINE_NAME,
    DeltaText,
    Model,
    ModelCapabilities,
    ModelDelta,
    ModelParts,
    ModelProvider,
    ModelReply,
    ModelRequest,
    ModelSettings,
    ModelSize,
    Unlock,
)
from bot.plugin.plugin import NoSettings, Plugin

_CONTEXT_TOKENS = 200_000


class OfflineModel:
    """Implements `Model` and `Warms`: to load the rules takes a tenth of a second."""

    def __init__(self, settings: ModelSettings, clock: Clock) -> None:
        self._clock = clock
        self.capabilities = ModelCapabilities(
            unlock=Unlock(settings.unlock) if settings.unlock != "auto" else Unlock.INLINE,
            system_notes=True,
            context_tokens=settings.context_tokens or _CONTEXT_TOKENS,
            offline=True,
            label="the offline model",
        )

    def name(self, size: ModelSize) -> str:
        return OFFLINE_NAME

    async def warm(self) -> None:
        await asyncio.to_thread(_load)

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        answer, words = await asyncio.to_thread(_load)
        reply = await asyncio.to_thread(answer, request, self._clock.now())
        for word in words(reply.text):
            on_delta(DeltaText(word))
            # Other tasks may run between two words, as with a network.
            await asyncio.sleep(0)
        return reply

    async def close(self) -> None:
        """Nothing is open."""


def _load() -> tuple[Callable[..., ModelReply], Callable[[str], list[str]]]:
    # Most homes have a language model.
    from bot.plugins.offline_model.answering import answer, words  # noqa: PLC0415

    return answer, words


def _build(parts: ModelParts[Any]) -> Model:
    return OfflineModel(parts.model, parts.clock)


class OfflineModelPlugin(Plugin[NoSettings]):
    name = "offline_model"
    title = "the model that answers by rules, where no language model is set up"
    models = (ModelProvider("offline", _build),)
