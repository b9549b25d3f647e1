"""What a home adds, tools, a server, a set, is used from the terminal, Discord and Slack."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.app import AppOptions
from bot.cli.main import app as command_line
from bot.testing.discord_town import QUICK
from bot.testing.mcp_house import a_program
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.services.proxmox_cluster import ProxmoxCluster
from bot.testing.services.vendor import serving
from bot.testing.waiting import until
from tests.wire.test_each_tool_by_door import SURFACES, Opened, Step, ask, furnish

TOOL = """\
# say_hello

## Description
Greet somebody by name.

## Parameters
{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}

## Access
Friend, Partner

## Implementation
shell: say_hello.sh
"""
BY_SERVER: tuple[Step, ...] = (
    ("tool_search", {"pattern": "mcp__sums__*"}, "mcp__sums__add"),
    ("mcp__sums__add", {"a": 20, "b": 22}, "42"),
    ("tool_search", {"pattern": "*_hello"}, '"matches": []'),
)
BY_FILE: tuple[Step, ...] = (
    ("tool_search", {"pattern": "*_HELLO"}, "say_hello"),
    ("say_hello", {"name": "Ben"}, "hello Ben"),
)


@pytest.mark.parametrize("surface", SURFACES, ids=lambda one: one.__name__)
async def test_a_servers_tool_and_one_that_comes_meanwhile_are_called(
    surface: Opened, tmp_path: Path
):
    model, wrong = ScriptedModel(), list[str]()
    settings = {"tools": {"shell": {"sandbox": "none"}}, "mcp": {"servers": {"sums": a_program()}}}
    (tmp_path / "bellhop.yaml").write_text(json.dumps(settings))
    folder = tmp_path / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    async with surface(tmp_path, QUICK) as here:
        furnish(tmp_path, here.person)
        async with running(AppOptions(tmp_path, [here.chat], model)) as app:
            await until(here.ready)
            await app.house.tooling.servers.settled()
            wrong += await ask(here, app, model, "add 20 and 22", BY_SERVER)
            script = folder / "say_hello.sh"
            script.write_text('#!/bin/sh\nsed \'s/.*"name": *"\\(.*\\)".*/hello \\1/\'\n')
            (folder / "say_hello.md").write_text(TOOL)
            await until(lambda: app.house.tooling.catalog.anywhere("say_hello"))
            wrong += await ask(here, app, model, "greet Ben", BY_FILE)
    assert not wrong, "\n".join(wrong)


# A set that an operator added is used from the terminal, Discord and Slack.


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
            await here.reads("It runs.")
        assert cluster.guests[101]["status"] == "running"
        assert cluster.key not in str(model.requests)
