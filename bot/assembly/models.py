"""The model that the settings name: one of ours, or that of a plug-in."""

from bot.assembly.plugins import provided_model
from bot.clock import SystemClock
from bot.domain.clock import Clock
from bot.domain.models import Model, ModelSize
from bot.errors import SettingsError
from bot.llm.build import FALLBACK, build_model, fallback_secret
from bot.llm.endpoint import no_answer, provider_of
from bot.llm.fallback import FallbackModel
from bot.llm.settings import ModelSettings
from bot.settings import Settings


def home_model(settings: Settings, clock: Clock | None = None) -> Model:
    """The model with its fallback. Fast: nothing is connected. Raises SettingsError."""
    wanted, clock = settings.get(ModelSettings), clock or SystemClock()
    provider = provider_of(wanted, settings.secret)
    first = provided_model(settings, provider, wanted, clock)
    first = first or build_model(wanted, settings.secret, clock)
    spare = wanted.fallback
    if spare is None:
        return first
    secret = fallback_secret(spare, settings.secret, first)
    second = provided_model(settings, provider_of(spare, secret, FALLBACK), spare, clock)
    second = second or build_model(spare, secret, clock, FALLBACK)
    if second.capabilities.offline:
        raise SettingsError(no_answer(FALLBACK))
    return FallbackModel(first, second, clock)


def names_of(model: Model) -> list[str]:
    """The names of all models that may answer, whose prices budgets need."""
    own = [model.name(size) for size in ModelSize]
    return list(dict.fromkeys([*own, *model.capabilities.fallback.values()]))
