"""Crashes while ants work: no finished ant repeats, none is lost, one answer comes."""

import shutil
from pathlib import Path

import pytest

from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.swarm_lives import SwarmLives

BATCH = "tool:1.0/tool:2.0"
WHOLE = {"w1": 3, "w2": 2, "w3": 1}
"""Model calls of each ant when nothing goes wrong."""
POINTS = [
    (
        CrashPoint(
            1,
            Moment.AFTER,
            f"{BATCH}/ant:w1.1/tool:2.0 done, insert tool_usage, insert cycle_events",
        ),
        (),
    ),
    (CrashPoint(1, Moment.AFTER, f"{BATCH}/ant:w2.2/close done, insert cycle_events"), ("w2",)),
    (CrashPoint(1, Moment.AFTER, f"{BATCH}/wake:2 done"), ("w1", "w2")),
    (CrashPoint(1, Moment.BEFORE, f"{BATCH}/close done"), ("w1", "w2", "w3")),
]


@pytest.mark.parametrize(
    ("point", "ended"), POINTS, ids=[point.name.split(",")[0] for point, _ in POINTS]
)
async def test_an_end_of_the_process_repeats_no_ant_that_ended(
    home: Path, tmp_path_factory: pytest.TempPathFactory, point: CrashPoint, ended: tuple[str, ...]
):
    lives = SwarmLives(shutil.copytree(home, tmp_path_factory.mktemp("life") / "home"))
    assert await lives.play(point), f"{point} was never reached"
    [answer] = lives.lives.chat.texts
    assert answer.startswith("3 of 3 ants verified. The agents used 600 tokens in, 120 out.")
    assert all(
        words in answer
        for words in ("one is there", "two is there", "three is there", "one is a number")
    )
    asked = lives.asked
    assert {ant: asked[ant] for ant in ended} == {ant: WHOLE[ant] for ant in ended}
    assert all(WHOLE[ant] <= asked[ant] <= WHOLE[ant] + 1 for ant in WHOLE), (
        "a call in flight may be made again"
    )


async def test_a_check_that_was_cut_off_is_made_again(home: Path):
    (home / "bellhop.yaml").write_text("{}\n")
    lives = SwarmLives(home, command="true")
    begun = CrashPoint(1, Moment.AFTER, f"{BATCH}/check:w1.1.1/tool:1.0 started")
    crashed = await lives.play(begun)
    [answer] = lives.lives.chat.texts
    if "commands can't be run here" in answer:  # no sandbox on this machine
        assert not crashed
        return
    assert crashed
    assert answer.startswith("3 of 3 ants verified")
    assert lives.asked["w1"] == WHOLE["w1"], "the ant itself did not work again"
