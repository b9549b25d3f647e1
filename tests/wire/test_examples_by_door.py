"""A set that an operator added is used from the terminal, Discord and Slack."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.app import AppOptions
from bot.cli.main import app as command_line
from bot.testing.discord_town import QUICK
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.services.proxmox_cluster import ProxmoxCluster
from bot.testing.services.vendor import serving
from bot.testing.waiting import until
from tests.wire.test_each_tool_by_door import SURFACES, Opened, Step, ask, furnish

WEB01: dict[str, Any] = {"node": "pve1", "kind": "qemu", "vmid": 101}
STEPS: tuple[Step, ...] = (
    ("proxmox", {"type": "vm"}, "web01"),
    ("proxmox_guest", WEB01, "stopped"),
    ("proxmox_power", {**WEB01, "action": "start"}, "waiting for approval"),
)


@pytest.mark.parametrize("surface", SURFACES, ids=lambda one: one.__name__)
async def test_a_machine_is_looked_at_and_started_after_a_yes(surface: Opened, tmp_path: Path):
    model = ScriptedModel()
    async with serving(ProxmoxCluster()) as cluster, surface(tmp_path, QUICK) as here:
        cluster.guests[101]["status"] = "stopped"
        furnish(tmp_path, here.person)
        settings = {
            "agents": {"default": "sasha"},
            "tools": {
                "shell": {"sandbox": "none"},
                "http": {"secrets": ["PROXMOX_TOKEN"], "servers": {"proxmox": cluster.url}},
            },
            "web": {"allow_private": ["127.0.0.1"]},
        }
        (tmp_path / "bellhop.yaml").write_text(json.dumps(settings))
        (tmp_path / ".env").write_text(f"PROXMOX_TOKEN={cluster.key}\n")
        (tmp_path / ".env").chmod(0o600)
        added = await asyncio.to_thread(
            CliRunner().invoke,
            command_line,
            ["--home", str(tmp_path), "examples", "add", "hosting"],
        )
        assert added.exit_code == 0, added.output
        async with running(AppOptions(tmp_path, [here.chat], model)) as app:
            await until(here.ready)
            assert not await ask(here, app, model, "start web01", STEPS)
            assert cluster.guests[101]["status"] == "stopped"
            model.add(say("It runs."))
            here.say("yes")
            await until(lambda: any("It runs." in text for text in here.sees()))
        assert cluster.guests[101]["status"] == "running"
        assert cluster.key not in str(model.requests)
