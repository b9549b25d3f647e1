"""People's words in five languages bring them to the skill for their job, and to no other.

`python bench/skill_wants.py --show` gives the figures, and names what is missed.
"""

from pathlib import Path

import pytest

import bot
from bot.testing.wants import read_wants, skill_judged, want_house

BENCH = Path(bot.__file__).parent.parent / "bench"


@pytest.mark.parametrize(
    ("name", "served", "wrong"), [("skill_wants", 0.9, 0.02), ("skill_wants_fresh", 0.8, 0.04)]
)
async def test_wants_come_to_their_skill_and_hardly_any_to_another(
    name: str, served: float, wrong: float
):
    toolset, wants = (await want_house()).toolset(), read_wants(BENCH / f"{name}.json")
    judged = [skill_judged(want, toolset) for want in wants]
    asking = sum(bool(want.finds) for want in wants)
    assert 0.3 * len(wants) <= len(wants) - asking <= 0.4 * len(wants)
    assert sum(one.served for one in judged) >= served * asking
    assert sum(one.wrong for one in judged) <= wrong * len(wants)
