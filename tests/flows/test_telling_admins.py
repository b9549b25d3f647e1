"""Calls that wait for a higher role than anybody present: MasterAdmins are told."""

import json
from pathlib import Path

import pytest

from bot.domain.messages import Place
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, say
from bot.testing.tools import NO_SANDBOX

TOOL = """\
# wipe

## Description
Wipe something when somebody asks for it.

## Access
Friend+

## Risk
destructive

## Implementation
shell: wipe.sh
"""
PLANS = {"wipe": [call("tool_search", {"pattern": "wipe"}), call("wipe"), say("It waits.")]}
PEOPLE = [
    {"id": "fay", "name": "Fay", "role": "Friend", "ids": {"discord": ["fay"]}},
    {"id": "meg", "name": "Meg", "role": "MasterAdmin", "ids": {"discord": ["meg"]}},
    {"id": "max", "name": "Max", "role": "MasterAdmin", "ids": {"discord": ["max"]}},
    {"id": "far", "name": "Far", "role": "MasterAdmin", "ids": {"slack": ["T1:U1"]}},
]


def furnish(home: Path, notify: str = "") -> None:
    (home / "contacts.yaml").write_text(json.dumps(PEOPLE))
    approvals = f"approvals: {{notify: {notify}}}\n" if notify else ""
    (home / "bellhop.yaml").write_text(NO_SANDBOX + approvals)
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "wipe.md").write_text(TOOL)
    (folder / "wipe.sh").write_text("echo wiped")


async def test_each_master_admin_gets_the_card_and_the_first_decision_counts(home: Path):
    furnish(home)
    async with running_app(home, PlanModel(PLANS)) as house:
        chat = house.chat
        await house.ask("meg", "hello")
        await chat.say("fay", "do:wipe")
        await chat.until(5)
        await house.until_idle()
        cards = [post.message for post in chat.posts if "asks to run `wipe`" in post.message.text]
        assert [card.target.conversation.id for card in cards] == ["dm-fay", "dm-meg", "max"]
        assert cards[0].text.endswith(
            "Only a MasterAdmin can decide this; I have asked Meg and Max."
        )
        assert [bool(card.choices) for card in cards] == [False, True, True]
        assert cards[2].target.ephemeral_to == "max"
        assert cards[1].text.startswith(
            "Fay (`fay`) asks for this in a direct conversation on discord.\n**Fay asks to run "
            "`wipe`**"
        )
        ref = cards[1].choices[0].ref
        await chat.click("fay", ref, "approve")
        await chat.until(6)
        assert chat.texts[5] == "Only a MasterAdmin can decide this; I have asked Meg and Max."
        await chat.click("max", ref, "approve")
        await chat.until(8)
        assert f"Approval {ref}: approved." in chat.texts[6:8]
        await chat.click("meg", ref, "reject")
        await chat.until(9)
        assert chat.texts[8].startswith(f"Approval {ref} is already ")


@pytest.mark.parametrize(
    ("notify", "present", "told"),
    [("", True, 0), ("", False, 2), ("admins", True, 2), ("conversation", False, 0)],
)
async def test_in_a_channel_they_are_told_as_the_setting_says(
    home: Path, notify: str, present: bool, told: int
):
    furnish(home, notify)
    async with running_app(home, PlanModel(PLANS)) as house:
        chat = house.chat
        if present:
            await house.chat.say("meg", "hello", where="town", place=Place.CHANNEL)
            await chat.until(1)
        before = len(chat.posts)
        await chat.say("fay", "do:wipe", where="town", place=Place.CHANNEL)
        await chat.until(before + 2 + told)
        await house.until_idle()
        cards = [post.message for post in chat.posts if post.message.choices]
        assert len(cards) == 1 + told


async def test_when_nobody_is_reachable_the_card_has_no_buttons_but_advice(home: Path):
    furnish(home)
    alone = [person for person in PEOPLE if person["id"] in {"fay", "far"}]
    (home / "contacts.yaml").write_text(json.dumps(alone))
    async with running_app(home, PlanModel(PLANS)) as house:
        await house.chat.say("fay", "do:wipe")
        await house.chat.until(2)
        await house.until_idle()
        (card,) = [
            post.message for post in house.chat.posts if "asks to run `wipe`" in post.message.text
        ]
        (waiting,) = await house.app.approvals.newest()
        assert card.choices == ()
        assert card.text.endswith(
            "Only a MasterAdmin can decide this."
            f" I can reach none from here: give one of them the reference {waiting.ref}."
        )
