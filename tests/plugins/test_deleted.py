"""The house stands without any of our own plug-ins; each folder may go."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import bot
from bot.app import every_connector
from bot.assembly.own_plugins import OWN

NONE_OF_OURS = """\
from bot.plugin.plugin import AnyPlugin

OWN: tuple[AnyPlugin, ...] = ()
OWN_SERVICES = ()
"""
LOOK = """\
import asyncio, json, sys
from pathlib import Path
from bot.app import AppOptions, open_app

async def look():
    async with open_app(AppOptions(Path(sys.argv[1]))) as app:
        print(json.dumps({
            "connectors": [one.id for one in app.house.connectors],
            "problems": app.problems(),
        }))

asyncio.run(look())
"""


def test_a_house_without_our_plugins_opens_with_all_other_connectors(tmp_path: Path):
    root, package = Path(bot.__file__).parent.parent, tmp_path / "bot"
    shutil.copytree(root / "bot", package, ignore=shutil.ignore_patterns("testing", "__pycache__"))
    shutil.rmtree(package / "plugins")
    (package / "assembly" / "own_plugins.py").write_text(NONE_OF_OURS)
    for name in ("prompts", "skills"):
        (tmp_path / name).symlink_to(root / name)
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", LOOK, str(home)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["problems"] == []
    there = {one.id for one in every_connector(home)}
    ours = {plugin.name for plugin in OWN}
    assert "todos" in found["connectors"]
    assert not ours.intersection(found["connectors"])
    assert there.issuperset(found["connectors"])
