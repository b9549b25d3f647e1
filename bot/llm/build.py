"""Chooses the model from the settings, and imports the SDK only when it is needed."""

import asyncio
import gc
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.clock import SystemClock
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.models import (
    Model,
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
    Warms,
)
from bot.llm.endpoint import ATTEMPTS, FALLBACK_KEY, KEY, Endpoint, is_anthropic, resolve
from bot.llm.fallback import FallbackModel
from bot.llm.settings import OneModel

if TYPE_CHECKING:
    from bot.llm.anthropic_model import AnthropicModel


FALLBACK = "model.fallback"
_SWITCH_S = 0.0005
"""Seconds that an importing thread may keep the interpreter from the event loop.

Python's default is 5 ms. Each of the many small steps of connecting would wait that long.
"""


def build_model(
    settings: OneModel,
    secret: Callable[[str], str | None],
    clock: Clock | None = None,
    at: str = "model",
    attempts: int = ATTEMPTS,
) -> "LazyModel":
    """The configured model of Anthropic or a compatible server, without its fallback.

    Fast: neither the SDK nor the network is touched. `attempts` are made for one answer in all.
    Raises SettingsError.
    """
    endpoint = replace(resolve(settings, secret, at), attempts=attempts)
    return LazyModel(endpoint, clock or SystemClock())


def fallback_secret(
    settings: OneModel, secret: Callable[[str], str | None], first: Model
) -> Callable[[str], str | None]:
    """The secrets as the model of `model.fallback` sees them. Raises SettingsError.

    It has a key of its own; only if `first` sends its key to Anthropic, too, is that one used.
    """
    ours = settings.provider == "anthropic" or (
        settings.provider == "auto" and not settings.base_url
    )
    shared = (
        ours
        and (not settings.base_url or is_anthropic(settings.base_url, FALLBACK))
        and not (isinstance(first, LazyModel) and first.elsewhere)
    )

    def own(name: str) -> str | None:
        if name != KEY:
            return secret(name)
        return secret(FALLBACK_KEY) or (secret(KEY) if shared else None)

    return own


async def warm(model: Model) -> None:
    """Load now what a model needs before its first answer."""
    if isinstance(model, FallbackModel):
        model = model.first
    if isinstance(model, Warms):
        await model.warm()


class LazyModel:
    """Implements `domain.models.Model` and `Warms`; the client loads when needed."""

    def __init__(self, endpoint: Endpoint, clock: Clock) -> None:
        self._endpoint = endpoint
        self._clock = clock
        self._loading = asyncio.Lock()
        self._model: AnthropicModel | None = None

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._endpoint.capabilities

    @property
    def anthropic(self) -> bool:
        """Whether Anthropic's own API answers."""
        return self._endpoint.anthropic

    @property
    def elsewhere(self) -> bool:
        """Whether another host than Anthropic's is sent the key."""
        return not is_anthropic(self._endpoint.base_url)

    def name(self, size: ModelSize) -> str:
        return self._endpoint.names[size]

    async def warm(self) -> None:
        await self._loaded()

    async def _loaded(self) -> "AnthropicModel":
        async with self._loading:
            if self._model is None:
                self._model = await asyncio.to_thread(_load, self._endpoint, self._clock)
            return self._model

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        model = await self._loaded()
        return await model.sample(request, on_delta)

    async def look_up(self, path: str, body: JsonObject | None = None) -> JsonObject | None:
        """See `AnthropicModel.look_up`."""
        model = await self._loaded()
        return await model.look_up(path, body)

    async def close(self) -> None:
        async with self._loading:
            if self._model is not None:
                await self._model.close()
                self._model = None


@contextmanager
def importing() -> Generator[None]:
    """Hold this while a thread imports: the event loop stays quick, and no garbage is collected."""
    interval, collects = sys.getswitchinterval(), gc.isenabled()
    sys.setswitchinterval(_SWITCH_S)
    gc.disable()
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        if collects:
            gc.enable()


def _load(endpoint: Endpoint, clock: Clock) -> "AnthropicModel":
    with importing():
        from bot.llm.anthropic_model import AnthropicModel  # noqa: PLC0415 - not before it is needed

        return AnthropicModel(endpoint, clock)
