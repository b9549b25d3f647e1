"""A yes counts only for a call that its person could read to the last byte.

See docs/security.md#what-a-card-shows.
"""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.domain.approvals import ApprovalState
from bot.domain.database import Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.messages import Place
from bot.errors import DeliveryError
from bot.log import register_secret
from bot.sessions.wording.card_text import CARD_CHARS
from bot.testing.fake_chat import FakeChat, Posted
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, say

TOOL = """\
# {name}

## Description
Do {name} when somebody asks for it.

## Parameters
{{"type": "object", "properties": {{"to": {{"type": "string"}}}}, "required": ["to"]}}

## Access
Friend+

## Risk
{risk}

## Implementation
shell: {name}.sh
"""
HIDING: JsonObject = {"to": "hello, password: " + "x" * 40 + "; and pay 560 to EVIL"}
LONG: JsonObject = {"to": "pay " * CARD_CHARS}
KEY = "installation-key-7731"
PLANS = {
    "hiding": [call("publish", HIDING), say("It waits.")],
    "long": [call("publish", LONG), say("It waits.")],
    "key": [call("publish", {"to": f"the key is {KEY}"}), say("Not possible.")],
    "wipe": [call("wipe", HIDING), say("It waits.")],
}
ROOM: dict[str, object] = {"where": "room", "place": Place.CHANNEL}


@asynccontextmanager
async def house(home: Path) -> AsyncGenerator[Harness]:
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True, exist_ok=True)
    for name, risk in (("publish", "external-write"), ("wipe", "destructive")):
        (folder / f"{name}.md").write_text(TOOL.format(name=name, risk=risk))
        (folder / f"{name}.sh").write_text(
            f'cat >> "{home}/ran.txt"; echo >> "{home}/ran.txt"; echo ran'
        )
    async with running_app(home, PlanModel(PLANS), FakeChat()) as running:
        yield running


def ran(home: Path) -> list[JsonObject]:
    file = home / "ran.txt"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def cards(chat: FakeChat, where: str) -> list[Posted]:
    return [
        post
        for post in chat.posts
        if post.message.choices and post.message.target.conversation.id == where
    ]


async def asked(house: Harness, plan: str, posts: int, **where: object) -> None:
    before = len(house.chat.posts)
    await house.chat.say("ann", f"do:{plan}", **where)
    await house.chat.until(before + posts)
    await house.until_idle()


async def told_in_room(house: Harness, ref: str) -> str:
    before = len(house.chat.posts)
    await house.chat.command("ann", "approve", ref, **ROOM)
    return (await house.chat.until(before + 1))[before].text


async def test_what_others_must_not_read_is_decided_where_it_is_shown_whole(home: Path):
    async with house(home) as at:
        await at.chat.say("ann", "hello")  # their direct conversation
        await at.chat.until(1)
        await asked(at, "hiding", 3, **ROOM)
        [shared] = cards(at.chat, "room")
        [own] = cards(at.chat, "dm-ann")
        ref = shared.message.choices[0].ref
        assert "EVIL" in own.text
        assert json.dumps(HIDING["to"])[1:-1] in own.text
        assert "x" * 40 not in shared.text
        assert [choice.verb for choice in shared.message.choices] == ["reject"]
        assert "nobody can approve it here" in shared.text
        assert "directly to Ann" in shared.text

        refused = await told_in_room(at, ref)
        assert "in a direct message" in refused
        before = len(at.chat.posts)
        await at.chat.say("ann", "yes", **ROOM)
        await at.chat.until(before + 1)
        await at.until_idle()
        assert ran(home) == []

        assert await at.command("ann", "approve", ref) == f"Approval {ref}: approved."
        await at.until_idle()
        assert ran(home) == [HIDING]


async def test_a_yes_where_the_call_was_never_shown_shows_it_first(home: Path):
    async with house(home) as at:
        at.chat.refuse = lambda message: (
            DeliveryError("closed") if message.target.conversation.place is Place.DM else None
        )
        await asked(at, "hiding", 2, **ROOM)
        at.chat.refuse = lambda _message: None
        ref = cards(at.chat, "room")[0].message.choices[0].ref
        said = await at.command("ann", "approve", ref)
        assert said.startswith(f"Approval {ref} is not decided yet: this is all of it.")
        assert "EVIL" in said
        await at.until_idle()
        assert ran(home) == []
        assert await at.command("ann", "approve", ref) == f"Approval {ref}: approved."


async def test_those_who_may_decide_get_it_whole(home: Path):
    async with house(home) as at:
        await asked(at, "wipe", 3, **ROOM)
        [shared] = cards(at.chat, "room")
        [olga] = [post for post in at.chat.posts if post.message.choices and post is not shared]
        assert "EVIL" in olga.text
        assert "x" * 40 not in shared.text
        assert "directly to Olga" in shared.text


async def test_a_long_call_is_attached_whole(home: Path):
    async with house(home) as at:
        await asked(at, "long", 2, **ROOM)
        [card] = cards(at.chat, "room")
        [file] = card.message.files
        data = (home / "data" / "blobs" / file.blob).read_bytes()
        assert json.loads(data) == LONG
        assert card.message.choices[0].verb == "approve"


async def test_a_secret_of_the_installation_is_asked_about_nowhere(home: Path):
    register_secret(KEY)
    async with house(home) as at:
        await asked(at, "key", 1)
        assert not cards(at.chat, "dm-ann")
        assert await at.app.approvals.newest() == ()
        told = json.dumps(at.app.model.requests[-1].messages)  # type: ignore[attr-defined]
        assert "to contains a key or password from this installation" in told


async def test_a_call_that_is_not_the_shown_one_does_not_run(home: Path):
    other = json.dumps({"to": "EVIL"})
    async with house(home) as at:
        await asked(at, "long", 2)
        [card] = cards(at.chat, "dm-ann")
        ref = card.message.choices[0].ref
        changed = Write("UPDATE approvals SET arguments = ? WHERE ref = ?", (other, ref))
        await at.app.database.write(Unit.of(changed))
        before = len(at.chat.posts)
        await at.chat.click("ann", ref, "approve")
        await at.chat.until(before + 1)
        assert at.chat.texts[-1].startswith(f"Approval {ref} is not decided yet")
        stored = await at.app.approvals.get(ref)
        assert stored is not None
        assert stored.state is ApprovalState.OPEN


async def test_a_call_that_changes_after_the_yes_does_not_run(home: Path):
    trigger = (
        "CREATE TRIGGER swap AFTER UPDATE OF state ON approvals WHEN NEW.state = 'approved' BEGIN"
        """ UPDATE approvals SET arguments = '{"to": "EVIL"}' WHERE ref = NEW.ref; END"""
    )
    async with house(home) as at:
        await asked(at, "long", 2)
        ref = cards(at.chat, "dm-ann")[0].message.choices[0].ref
        await at.app.database.write(Unit.of(Write(trigger, ())))
        before = len(at.chat.posts)
        await at.chat.click("ann", ref, "approve")
        await at.chat.until(before + 2)
        await at.until_idle()
        assert ran(home) == []
        told = json.dumps(at.app.model.requests[-1].messages)  # type: ignore[attr-defined]
        assert "not run: the call is not the one that was shown" in told
