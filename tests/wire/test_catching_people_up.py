"""What happened here since somebody was last here: with links, by rights, through real clients."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from bot.domain.messages import Addressed, Place, Visibility
from bot.loopback.slack import Person, SlackPlatform
from bot.loopback.slack.world import ChannelKind
from bot.testing.discord_house import house
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, calls, say
from bot.testing.slack_house import app_on_slack, reads

UNLOCK = calls(("tool_search", {"pattern": "catch_me_up"}))
ASKED = (UNLOCK, calls(("catch_me_up", {})))
SQUARE = {"where": "square", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
UNASKED = {**SQUARE, "addressed": Addressed.NONE}
THREAD = {"where": "t", "channel": "square", "place": Place.THREAD, "addressed": Addressed.FOLLOWED}


def told(model: ScriptedModel) -> dict[str, Any]:
    """What the model read of what happened."""
    for message in reversed(model.requests[-1].messages):
        content: Any = message["content"]
        for block in cast("list[Any]", content) if isinstance(content, list) else ():
            if block.get("type") == "tool_result" and "since" in json.dumps(block):
                plain = "".join(part.get("text", "") for part in block["content"])
                return json.loads(plain[plain.index("{") : plain.rindex("}") + 1])
    raise LookupError("nobody was caught up")


def know(home: Path, *names: str) -> None:
    people = [
        {"id": name, "name": name.title(), "role": "Friend", "ids": {"discord": [name]}}
        for name in names
    ]
    (home / "contacts.yaml").write_text(json.dumps(people))


async def test_it_begins_where_their_last_visit_ended(tmp_path: Path):
    know(tmp_path, "ann", "ben")
    model, chat = ScriptedModel(), FakeChat()
    chat.readers.of = {"square": {"ann", "ben"}}
    async with running_app(tmp_path, model, chat) as house_:
        now = datetime.now(UTC)
        left, later = now - timedelta(hours=2), now - timedelta(hours=1)
        await chat.say("ben", "before she left", at=left - timedelta(minutes=1), **UNASKED)
        await chat.say("ann", "see you", at=left, **UNASKED)
        await chat.say("ben", "we take the blue one", key="discord:77", at=later, **UNASKED)
        await chat.say("ann", "hello again", **UNASKED)
        model.add(*ASKED, say("Ben: the blue one."))
        await house_.ask("ann", "catch me up", **SQUARE)
        happened = told(model)
        assert [one["text"] for one in happened["messages"]] == ["we take the blue one"]
        [said] = happened["messages"]
        assert (said["by"], said["where"]) == ("ben", "#square")
        assert said["link"] == "https://chat.example/square/77"


async def test_in_a_thread_of_others_it_is_about_the_thread(tmp_path: Path):
    know(tmp_path, "ann", "ben")
    model, chat = ScriptedModel(), FakeChat()
    chat.readers.of = {"square": {"ann", "ben"}}
    async with running_app(tmp_path, model, chat) as house_:
        await chat.say("ben", "said in the channel", **UNASKED)
        await chat.say("ben", "said in the thread", **{**THREAD, "addressed": Addressed.NONE})
        model.add(*ASKED, say("Ben said something."))
        await house_.ask("ann", "catch me up", **THREAD)
        happened = told(model)
        assert [one["text"] for one in happened["messages"]] == ["said in the thread"]
        assert happened["since"] == "the beginning"


async def test_on_discord_the_command_is_answered_to_its_person_alone(tmp_path: Path):
    model = ScriptedModel([*ASKED, say("Ben wants the blue one.")])
    async with house(tmp_path, model) as made:
        assert made.general.guild is not None
        said = made.ben.say(made.general, "let us take the blue one")
        vault = made.platform.channel(made.general.guild, "vault")
        vault.hidden, vault.admits = True, {made.ben.user.id}
        made.platform.gateway.dispatch("CHANNEL_CREATE", made.platform.payloads.channel(vault))
        made.ben.say(vault, "the price is secret")
        made.ann.slash(made.general, "catchup")
        await made.reads(made.ann, made.general, "Ben wants the blue one.")
        assert made.ben.sees(made.general) == []
        happened = told(model)
        assert [one["text"] for one in happened["messages"]] == ["let us take the blue one"]
        place = f"{made.general.guild.id}/{made.general.id}"
        assert happened["messages"][0]["link"] == f"https://discord.com/channels/{place}/{said.id}"


async def test_on_slack_a_new_thread_asks_about_its_channel(
    slack: SlackPlatform, ann: Person, bob: Person, tmp_path: Path
):
    square, vault = (
        slack.channel("square", ann, bob),
        slack.channel("vault", bob, kind=ChannelKind.PRIVATE),
    )
    model = ScriptedModel([*ASKED, say("Bob wants the blue one.")])
    async with app_on_slack(tmp_path, slack, model):
        said = bob.say("let us take the blue one", square)
        bob.say("the price is secret", vault)
        await slack.settled()
        ann.mention("catch me up", square)
        await reads(slack, ann, "Bob wants the blue one.", square)
        happened = told(model)
        assert [one["text"] for one in happened["messages"]] == ["let us take the blue one"]
        link = f"https://house.slack.com/archives/{square.id}/p{said.ts.replace('.', '')}"
        assert happened["messages"][0]["link"] == link
