"""Figures for a monitor, where BELLHOP_METRICS_KEY is set."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.endpoints.settings import ConsoleSettings
from bot.errors import SettingsError
from bot.sessions.inbox.platforms import Checkup
from bot.settings import Settings
from bot.tools.budget.usage import Meter

if TYPE_CHECKING:
    from bot.endpoints.http import TextAnswer

METRICS_KEY = "BELLHOP_METRICS_KEY"
_KEY_CHARS = 32


def build_metrics(settings: Settings, checkup: Checkup, meter: Meter) -> "Mapping[str, TextAnswer]":
    """The path and its answer. Raises SettingsError for a key that could be guessed."""
    key = settings.secret(METRICS_KEY)
    if not (key and settings.get(ConsoleSettings).port):
        return {}
    if len(key) < _KEY_CHARS:
        raise SettingsError(
            f"{METRICS_KEY} is too short; set it in .env to {_KEY_CHARS} random characters or more"
        )
    from bot.endpoints.figures import HouseFigures  # noqa: PLC0415 - only where it is switched on
    from bot.endpoints.metrics import METRICS_PATH, Metrics  # noqa: PLC0415

    return {METRICS_PATH: Metrics(HouseFigures(checkup, meter), key).answer}
