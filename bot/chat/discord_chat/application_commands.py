"""The built-in commands as Discord's own, registered only when they differ from what Discord has."""

import hashlib
import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.chat.discord_chat.rest import DiscordRest
from bot.domain.json_types import JsonObject

log = logging.getLogger(__name__)

_IN_GUILD, _IN_DM = 0, 1
_TEXT = 3


@dataclass(frozen=True)
class SlashCommand:
    """One command; with `argument` it takes a text of that name."""

    name: str
    description: str
    argument: str = ""
    about: str = ""
    """What the argument is."""
    required: bool = True

    def to_json(self) -> JsonObject:
        written: JsonObject = {
            "name": self.name,
            "type": 1,
            "description": self.description,
            "contexts": [_IN_GUILD, _IN_DM],
            "integration_types": [0],
            "options": [],
        }
        if self.argument:
            option: JsonObject = {"name": self.argument, "description": self.about, "type": _TEXT}
            written["options"] = [option | {"required": self.required}]
        return written


BUILT_IN = (
    SlashCommand("help", "What I can do, and which commands there are"),
    SlashCommand("new", "Start afresh; files, todos, notes and memory stay"),
    SlashCommand("stop", "Stop what I am doing for you here"),
    SlashCommand("status", "Model, role, and what is running or waiting"),
    SlashCommand(
        "why", "What became of a message", "reference", "A reference; without one your last message", required=False
    ),
    SlashCommand("compact", "Go on from a summary of this conversation"),
    SlashCommand("approve", "Let a waiting call run", "ref", "The reference on the approval"),
    SlashCommand("reject", "Refuse a waiting call", "ref", "The reference on the approval"),
    SlashCommand("grants", "What I needn't ask you about", "change", "revoke and its reference", required=False),
)


def fingerprint(commands: Iterable[JsonObject]) -> str:
    """The same for commands that people see as the same, whatever Discord adds to them."""
    seen = sorted(json.dumps(_essence(command), sort_keys=True) for command in commands)
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()


async def register(rest: DiscordRest, commands: Sequence[SlashCommand]) -> bool:
    """Tell Discord the commands if it has others; returns whether it was told. Raises CallRefused or CallFailed."""
    wanted = [command.to_json() for command in commands]
    if fingerprint(await rest.commands()) == fingerprint(wanted):
        return False
    await rest.put_commands(wanted)
    log.info("commands=<%s> | registered with Discord", len(wanted))
    return True


def _essence(command: JsonObject) -> JsonObject:
    options: list[JsonObject] = command.get("options") or []
    return {
        "name": command["name"],
        "type": command.get("type") or 1,
        "description": command["description"],
        "contexts": sorted(command.get("contexts") or [_IN_GUILD, _IN_DM]),
        "options": [
            {
                "name": option["name"],
                "type": option["type"],
                "description": option["description"],
                "required": bool(option.get("required")),
            }
            for option in options
        ],
    }
