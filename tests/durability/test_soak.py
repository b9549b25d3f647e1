"""Many people and faults: a small slice of `bench/faults.py --messages`."""

import sys
from pathlib import Path

import pytest

from bot.testing.campaign.soak import soak

pytestmark = pytest.mark.slow


async def test_nothing_is_lost_and_memory_does_not_grow_with_the_messages(tmp_path: Path):
    report = await soak(tmp_path, messages=300, sessions=30, rate=0.01, seed=20261121, seconds=40)
    sys.stdout.write("\n".join(report.lines()))
    assert report.problems == []
    assert report.messages >= 60
    assert sum(report.faults.values()) >= 3
    settled, *_, last = report.memory_mb.values()
    assert last - settled < 25, report.memory_mb
