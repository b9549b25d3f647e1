"""The memory section: the seed's budgets and twenty skipped agents by default."""

import pytest
from pydantic import ValidationError

from bot.domain.memory import Tier
from bot.memory.settings import MemorySettings


def test_defaults_are_the_seeds():
    settings = MemorySettings()
    assert [settings.budget(tier) for tier in Tier] == [4000, 8000, 4000]
    assert len(set(settings.skip_agents)) == 20
    assert settings.distill_at == "02:00"


def test_a_time_that_no_clock_shows_is_refused():
    with pytest.raises(ValidationError):
        MemorySettings(distill_at="25:00")
