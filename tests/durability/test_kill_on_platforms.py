"""kill -9 of the real program on both platforms: a small slice of `bench/faults.py`."""

import sys
from pathlib import Path

import pytest

from bot.testing.campaign.kills import KillReport, kill_campaign
from bot.testing.campaign.phases import Left, Outside, Phase, phase_of

pytestmark = pytest.mark.slow


def enough(report: KillReport) -> bool:
    return report.struck >= 12 and report.kills >= 3 and len(report.phases) >= 3


async def test_turns_that_are_struck_in_any_phase_are_answered_once_and_in_order(tmp_path: Path):
    report = await kill_campaign(
        tmp_path, turns=45, seed=4, places=(3, 2, 3, 2), seconds=25, enough=enough
    )
    sys.stdout.write("\n".join(report.lines()))
    assert report.problems == []
    assert enough(report), report


async def test_a_campaign_fails_at_once_when_the_program_ends_by_itself(tmp_path: Path):
    (tmp_path / "data").write_text("no folder")
    with pytest.raises(TimeoutError, match=r"the process ended \(\d"):
        await kill_campaign(tmp_path, turns=1, seed=4, places=(1, 1, 1, 1))


def test_the_phase_is_read_from_what_the_dead_process_left():
    def phase(
        *steps: tuple[str, bool], asked: int = 0, ledger: str = "", visible: int = 0, **more: object
    ) -> object:
        turn = Left(1, "discord:77", None, bool(more.get("settled")), dict(steps))
        return phase_of(5, ":77", {turn.key: turn}, Outside({5: asked}, {ledger}, {visible}))

    assert phase_of(5, ":78", {}, Outside({}, (), ())) is Phase.BEFORE_ACCEPT
    assert phase() is Phase.AFTER_ACCEPT
    assert phase(("open", True), asked=1) is Phase.MODEL
    assert phase(("model:1", True), ("tool:1.0", False), asked=1) is Phase.TOOL
    assert (
        phase(("model:1", True), ("tool:1.0", False), asked=1, ledger="end line 5")
        is Phase.AFTER_TOOL
    )
    assert phase(("model:1", True), ("tool:1.0", True), asked=1) is Phase.AFTER_TOOL
    assert phase(("model:1", True), ("tool:1.0", True), asked=2) is Phase.MODEL
    assert phase(("model:1", True), ("send:answer", False), asked=1) is Phase.INTENT
    assert phase(("model:1", True), ("send:answer", False), asked=1, visible=5) is Phase.PROCESSED
    assert phase(("model:1", True), ("tool:1.0/model:1", True), asked=1) is Phase.AGENTS
    assert (
        phase(("model:1", True), ("tool:1.0/model:1", True), ("tool:1.0", True), asked=1)
        is Phase.AFTER_TOOL
    )
    assert phase(settled=True) is None
