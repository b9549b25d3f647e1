"""The model that the settings name: one of ours, or that of a plug-in."""

from collections.abc import Callable
from functools import partial

from bot.assembly.plugins import plugins_of, secrets_of_plugin, setup_of
from bot.clock import SystemClock
from bot.domain.clock import Clock
from bot.domain.models import Model, ModelSize
from bot.llm.build import build_fallback, build_model
from bot.llm.fallback import FallbackModel
from bot.llm.settings import ModelSettings, OneModel
from bot.plugin.models import ModelParts
from bot.settings import Settings

_Build = Callable[[OneModel, Callable[[str], str | None], Clock], Model]


def home_model(settings: Settings, clock: Clock | None = None) -> Model:
    """The model with its fallback. Fast: nothing is connected. Raises SettingsError."""
    wanted, clock = settings.get(ModelSettings), clock or SystemClock()
    first = _one(settings, wanted, clock, build_model)
    if wanted.fallback is None:
        return first
    second = _one(settings, wanted.fallback, clock, partial(build_fallback, first=first))
    return FallbackModel(first, second, clock)


def names_of(model: Model) -> list[str]:
    """The names of all models that may answer, whose prices budgets need."""
    own = [model.name(size) for size in ModelSize]
    return list(dict.fromkeys([*own, *model.capabilities.fallback.values()]))


def _one(settings: Settings, wanted: OneModel, clock: Clock, build: _Build) -> Model:
    for plugin in plugins_of(settings):
        for provider in plugin.models:
            if provider.name == wanted.provider:
                secret = secrets_of_plugin(settings, plugin)
                own = setup_of(settings, plugin).settings
                alone = ModelSettings(**wanted.model_dump(exclude={"fallback"}))
                return provider.build(ModelParts(own, alone, secret, clock))
    return build(wanted, settings.secret, clock)
