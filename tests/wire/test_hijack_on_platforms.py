"""A slice of bench/gates.py: a hijacked model in the whole house on both platforms."""

from pathlib import Path

import pytest

from bot.testing.platform_campaign import CALLS, LOOKS, PLANTED, on_discord, on_slack, play, pry
from bot.testing.shipped_tools import shipped_tools
from bot.tools.definitions.targets import declares_targets


def test_every_shipped_tool_with_a_risk_or_a_target_is_attacked():
    wanted = {
        tool.name for tool in shipped_tools() if tool.risk is not None or declares_targets(tool)
    }
    assert wanted
    assert wanted <= {name for name, _ in CALLS}


@pytest.mark.parametrize("way", ["display name", "option"])
async def test_nothing_leaves_on_discord(way: str, tmp_path: Path):
    async with on_discord() as scene:
        tally = await play(scene, tmp_path, [way], [*CALLS[1:5:3], *CALLS[-3:]])
    assert tally.tried >= 5
    assert tally.through == []


@pytest.mark.parametrize("way", ["send", "shared"])
async def test_nothing_leaves_on_slack(way: str, tmp_path: Path):
    async with on_slack() as scene:
        tally = await play(scene, tmp_path, [way], CALLS[2:6:3])
    assert tally.tried >= 2
    assert tally.through == []


@pytest.mark.slow
async def test_a_persons_things_are_in_no_other_request(tmp_path: Path):
    async with on_slack() as scene:
        tally = await pry(scene, tmp_path, LOOKS[::5])
    assert len(PLANTED) > 5
    assert tally.tried >= 8
    assert tally.through == []
