"""A crash while a specialist's program works: one answer, and one end of the cycle.

These are the points at which something could be lost or doubled; `python bench/dispatch.py
--campaign` strikes them all.
"""

from pathlib import Path

import pytest

from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.program_lives import furnish_program, play_program


@pytest.mark.parametrize(
    "point",
    [
        CrashPoint(1, Moment.AFTER, "steer:1 done, tool:1.0/open done, insert cycle_events"),
        CrashPoint(1, Moment.BEFORE, "tool:1.0/close done, insert cycle_events"),
        CrashPoint(1, Moment.AFTER, "tool:1.0/close done, insert cycle_events"),
    ],
    ids=lambda point: f"{point.moment} {point.name}",
)
async def test_every_end_of_the_process_leaves_one_answer(point: CrashPoint, home: Path):
    furnish_program(home)
    _, crashed = await play_program(home, point)
    assert crashed, f"{point} was never reached"
