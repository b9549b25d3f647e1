"""A crash while a background agent works: its person still gets both answers, once each.

These are the points at which something could be lost or doubled; `python bench/dispatch.py
--campaign` strikes them all.
"""

import shutil
from pathlib import Path

import pytest

from bot.testing.background_lives import furnish, play
from bot.testing.crash_points import CrashPoint, Moment

SUBMITTED = "insert inbox, insert claims"
CLOSED = "agent/close done, insert cycle_events"


@pytest.fixture
def crew(home: Path) -> Path:
    furnish(home)
    return home


async def test_every_end_of_the_process_leaves_two_answers(
    crew: Path, tmp_path_factory: pytest.TempPathFactory
):
    folder = tmp_path_factory.mktemp("lives")
    points = [
        CrashPoint(1, Moment.AFTER, SUBMITTED),  # accepted, and the call that did it doesn't know
        CrashPoint(1, Moment.AFTER, CLOSED),  # done, and not posted
    ]
    for number, point in enumerate(points):
        home = shutil.copytree(crew, folder / f"life{number}")
        _, crashed = await play(home, point)
        assert crashed, f"{point} was never reached"
