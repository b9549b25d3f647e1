"""The home of a campaign, and the process that runs on it."""

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.domain.json_types import JsonObject
from bot.loopback.slack import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, TEAM
from bot.testing.campaign.people import Crowd
from bot.testing.campaign.speaker import CLERK, TOOL

_TOOL = f"""\
# {TOOL}

## Description
Write a line into the ledger, when somebody asks for it.

## Parameters
{{"type": "object", "properties": {{"line": {{"type": "string"}}}}, "required": ["line"]}}

## Implementation
shell: {TOOL}.sh
"""
_TRACE = re.compile(r"^.*\nTraceback .*\n(?:[ ].*\n|\n)*\S.*$", re.MULTILINE)
_SCRIPT = """\
line=$(sed 's/[^a-z0-9 ]//g; s/^ *line *//')
test -n "$line" || exit 1
echo "begin $line" >> '{ledger}'
sleep 0.03
echo "end $line" >> '{ledger}'
echo written
"""


def furnish(home: Path, crowd: Crowd, model_url: str, port: int, mode: str) -> None:
    """Write settings, contacts, one tool and one agent.

    `port` is that of the HTTP server, `mode` that of Slack.
    """
    settings: JsonObject = {
        "model": {"provider": "compatible", "name": "loopback", "base_url": model_url},
        "tools": {"shell": {"sandbox": "none"}},
        "sessions": {"idle_minutes": 600},
        "budgets": {"per_guest_day": {"model_calls": 0}, "strangers_day": {"model_calls": 0}},
        "console": {"port": port},
        "discord": {"enabled": True, "api_base": crowd.discord.api_base},
        "slack": {"enabled": True, "api_base": crowd.slack.api_base, "mode": mode},
    }
    (home / "bellhop.yaml").write_text(json.dumps(settings))
    secrets = {
        "ANTHROPIC_API_KEY": "key-of-the-loopback",
        "DISCORD_TOKEN": crowd.discord.options.token,
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": APP_TOKEN,
        "SLACK_SIGNING_SECRET": SIGNING_SECRET,
    }
    (home / ".env").write_text("".join(f"{name}={value}\n" for name, value in secrets.items()))
    contacts = [
        {
            "id": f"p{number}",
            "name": f"P{number}",
            "role": "Partner",
            "ids": {"discord": [one.id], "slack": [f"{TEAM}:{other.id}"]},
        }
        for number, (one, other) in enumerate(crowd.people)
    ]
    (home / "contacts.yaml").write_text(json.dumps(contacts))
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{TOOL}.md").write_text(_TOOL)
    agents = home / "prompts" / "agents"
    agents.mkdir(exist_ok=True)
    (agents / f"{CLERK}.md").write_text(
        "---\ndescription: Keeps the ledger.\n---\n\nYou keep the ledger.\n"
    )
    (folder / f"{TOOL}.sh").write_text(_SCRIPT.format(ledger=home / "ledger.txt"))


def ledger(home: Path) -> list[str]:
    """Return the lines that the tool has written so far."""
    path = home / "ledger.txt"
    return path.read_text().splitlines() if path.exists() else []


def crashes(home: Path) -> list[str]:
    """Return every traceback in the log of all lives, with the line before it; expect none."""
    found = _TRACE.findall((home / "bot.log").read_text())
    return [trace[:200] + " … " + trace[-200:] for trace in found]


async def start(home: Path, arguments: Sequence[str] = ("run",)) -> asyncio.subprocess.Process:
    """Start the real program as an operator does."""
    with (home / "bot.log").open("ab") as log:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "--home", str(home), *arguments, stdout=log, stderr=log
        )


async def end(process: asyncio.subprocess.Process) -> None:
    """Stop the process as an operator does, with answers settled; kill it if it doesn't end."""
    process.terminate()
    try:
        async with asyncio.timeout(60):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
