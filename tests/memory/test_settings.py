"""The memory section: the documented budgets by default."""

import pytest
from pydantic import ValidationError

from bot.domain.memory import Tier
from bot.memory.settings import MemorySettings


def test_defaults_are_the_seeds():
    settings = MemorySettings()
    assert [settings.budget(tier) for tier in Tier] == [4000, 8000, 4000]


def test_what_is_not_named_keeps_its_room():
    settings = MemorySettings(chars={Tier.USER: 0})
    assert [settings.budget(tier) for tier in Tier] == [4000, 8000, 0]


def test_a_negative_budget_is_refused():
    with pytest.raises(ValidationError):
        MemorySettings(chars={Tier.SHARED: -1})
