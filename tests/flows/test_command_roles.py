"""Commands that guests don't find in /help refuse them."""

import json
from pathlib import Path

from bot.domain.access import Role
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel

REFUSED = {
    ("tools", ""): "Deciding about tools is for a MasterAdmin.",
    ("tools", "approve x"): "Deciding about tools is for a MasterAdmin.",
    ("booking", ""): "Booking pages are for members.",
    ("booking", "on"): "Booking pages are for members.",
    ("pair", "pabcdefgh friend"): "Only a MasterAdmin can decide this.",
    ("takeover", "gus gil"): "Only a MasterAdmin can decide this.",
    ("share", "Hello there"): "Only members of rank 2 and above can share something with all.",
}
"""What a guest reads, by command and arguments."""


async def test_a_command_that_guests_do_not_find_refuses_them(home: Path):
    gus = {"id": "gus", "name": "Gus", "role": "Guest", "ids": {"discord": ["gus"]}}
    (home / "contacts.yaml").write_text(json.dumps([gus]))
    async with running_app(home, ScriptedModel([])) as house:
        hidden = {
            one.name for one in house.app.commands.built_in if one.listed_from is not Role.GUEST
        }
        assert {name for name, _ in REFUSED} == hidden
        for number, ((name, arguments), refused) in enumerate(REFUSED.items(), 1):
            await house.chat.command("gus", name, arguments)
            await house.chat.until(number)
            assert house.chat.texts[-1].startswith(refused), (name, arguments)
