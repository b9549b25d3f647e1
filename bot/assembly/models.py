"""The model that the settings name: one of ours, or that of a plug-in."""

from bot.assembly.plugins import plugins_of, secrets_of_plugin, setup_of
from bot.clock import SystemClock
from bot.domain.clock import Clock
from bot.domain.models import Model
from bot.llm.build import build_model
from bot.llm.settings import ModelSettings
from bot.plugin.models import ModelParts
from bot.settings import Settings


def home_model(settings: Settings, clock: Clock | None = None) -> Model:
    """Fast: nothing is connected. Raises SettingsError."""
    wanted, clock = settings.get(ModelSettings), clock or SystemClock()
    for plugin in plugins_of(settings):
        for provider in plugin.models:
            if provider.name == wanted.provider:
                secret = secrets_of_plugin(settings, plugin)
                own = setup_of(settings, plugin).settings
                return provider.build(ModelParts(own, wanted, secret, clock))
    return build_model(wanted, settings.secret, clock)
