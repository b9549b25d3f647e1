"""Tools that a home adds, a file and a server, are used from the terminal, Discord and Slack."""

import json
from pathlib import Path

import pytest

from bot.app import AppOptions
from bot.testing.discord_town import QUICK
from bot.testing.mcp_house import a_program
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel
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
