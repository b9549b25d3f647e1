"""The offline model, on a clock that a test moves."""

import pytest

from bot.plugin.models import Model, ModelParts, ModelSettings
from bot.plugin.plugin import NoSettings
from bot.plugins.offline_model.plugin import OfflineModelPlugin
from bot.testing.fake_clock import FakeClock
from bot.testing.offline_house import TOOLS, House


@pytest.fixture
def model() -> Model:
    (provider,) = OfflineModelPlugin.models
    return provider.build(ModelParts(NoSettings(), ModelSettings(), lambda _: "", FakeClock()))


@pytest.fixture
def house(model: Model) -> House:
    return House(model, dict(TOOLS))
