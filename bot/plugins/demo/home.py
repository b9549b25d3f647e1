"""The home folder of the demo's Bellhop."""

import json
from pathlib import Path

from bot.loopback.slack import APP_TOKEN, BOT_TOKEN, TEAM
from bot.plugins.demo.town import PEOPLE, Town

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
            "gateway_url": town.discord.gateway_url,
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
