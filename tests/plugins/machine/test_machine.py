"""How the machine does."""

from pathlib import Path

from bot.plugins.machine.plugin import MachineConnector
from bot.testing.desk import Desk


async def test_the_machine_tells_how_it_does(desk: Desk, tmp_path: Path):
    told = await desk.call(desk.tool(MachineConnector(tmp_path), "host_report"), {})
    assert told["cpus"] >= 1
    assert len(told["load"]) == 3
    assert 0 <= told["disks"]["home"]["used_percent"] <= 100
