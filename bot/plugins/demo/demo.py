"""Runs the demo: both platforms, the page, and Bellhop beside them with a home of its own."""

import json
import os
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.loopback.serving import serving
from bot.loopback.slack import APP_TOKEN, BOT_TOKEN, TEAM
from bot.plugins.demo.bellhop_process import BellhopProcess
from bot.plugins.demo.model import WORD_S, NewestRequests, demo_model
from bot.plugins.demo.server import DemoServer
from bot.plugins.demo.town import PEOPLE, Town, open_town

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
PAUSE_S = 4.0
"""Long enough to read a step, and short enough to kill Bellhop within an answer."""
PUBLISH_TOOL = """\
# publish_site

## Description
Publish the team's website as it stands. Use it when somebody asks to publish or release the site.

## Parameters
{{
  "type": "object",
  "properties": {{
    "note": {{"type": "string", "description": "What changed, for the log of releases."}}
  }},
  "required": ["note"]
}}

## Access
Friend+

## Risk
destructive

## Implementation
http: POST {url}
"""

PRICE = {"input": 3, "output": 15}
"""Dollars for a million tokens of the demo's model: as of a real one, so that costs are seen."""


def write_home(home: Path, town: Town, model: str | None, site: str, console: int) -> None:
    """Write settings, secrets, people and a tool of the team's own.

    `model` is the address of the demo's model; None leaves the choice to the keys of this machine.
    `site` is the address that the tool `publish_site` posts to, `console` the web console's port.
    """
    settings: dict[str, object] = {
        "discord": {
            "enabled": True,
            "api_base": town.discord.api_base,
        },
        "slack": {"enabled": True, "api_base": town.slack.api_base},
        "web": {"allow_private": ["127.0.0.1"]},
        "log": {"level": "INFO"},
        "console": {"port": console, "website": True},
    }
    if model is not None:
        settings["model"] = {"provider": "compatible", "base_url": model, "name": "demo"}
        settings["budgets"] = {"prices": {"demo": PRICE}}
    people = [
        {
            "id": one.id,
            "name": one.name,
            "role": one.role,
            "ids": {
                "discord": [town.accounts[one.id]["discord"]],
                "slack": [f"{TEAM}:{town.accounts[one.id]['slack']}"],
            },
        }
        for one in PEOPLE
        if one.role != "Guest"
    ]
    secrets = {
        "DISCORD_TOKEN": town.discord.options.token,
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": APP_TOKEN,
    }
    tools = home / "prompts" / "tools" / "shared"
    tools.mkdir(parents=True, exist_ok=True)
    _write(home / "bellhop.yaml", json.dumps(settings, indent=2))
    _write(home / "contacts.yaml", json.dumps(people, indent=2))
    _write(home / ".env", "".join(f"{name}={value}\n" for name, value in secrets.items()))
    _write(tools / "publish_site.md", PUBLISH_TOOL.format(url=site))


def _write(path: Path, text: str) -> None:
    """JSON is YAML, too, and quotes every odd character."""
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)


@dataclass(frozen=True)
class RunningDemo:
    """A demo that is served, and its parts."""

    address: str
    """Of its page; it holds the secret."""
    server: DemoServer
    town: Town
    process: BellhopProcess


@asynccontextmanager
async def running_demo(
    home: Path, port: int = 0, *, word_s: float = WORD_S, pause_s: float = PAUSE_S
) -> AsyncGenerator[RunningDemo]:
    """Serve the demo until the block ends, with its home in this folder.

    A key of Anthropic in the environment gives it a real model. `word_s` is the pace of the demo's
    own model, in seconds per word, and `pause_s` that between two steps of a tour that plays by
    itself. Raises OSError for a taken port.
    """
    with_model = any(os.environ.get(name) for name in KEYS)
    requests = NewestRequests()
    model = demo_model(requests, word_s)
    process = BellhopProcess(home, with_keys=with_model)
    async with open_town() as town, model:
        server = DemoServer(town.sides, process, None if with_model else requests, pause_s=pause_s)
        async with serving(server.application(), port) as place:
            address = f"http://{place}"
            site = f"{address}/site/{server.site_secret}"
            model_url = None if with_model else model.base_url
            write_home(home, town, model_url, site, _free_port())
            await process.start()
            try:
                yield RunningDemo(f"{address}/{server.secret}/", server, town, process)
            finally:
                await process.stop()


def _free_port() -> int:
    """One that nothing on this machine listened on a moment ago."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
