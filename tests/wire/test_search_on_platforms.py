"""Real clients: only people who may read a channel find, or catch up on, what was said there."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from bot.domain.messages import Addressed, Place, Visibility
from bot.loopback.discord import Channel as DiscordChannel
from bot.loopback.discord import DiscordPlatform
from bot.loopback.discord import Person as DiscordPerson
from bot.loopback.slack import Person, SlackPlatform
from bot.loopback.slack.world import ChannelKind
from bot.plugins.slack_chat.manifest import SEARCH as SEARCH_SCOPES
from bot.testing.discord_house import house, serving, town
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import ScriptedModel, call, calls, say
from bot.testing.slack_house import app_on_slack, known, reads

SEARCH = call("search", {"query": "budgets"})


def result_text(content: Any) -> str:
    return (
        content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    )


def told(model: ScriptedModel, of: str = "since") -> dict[str, Any]:
    """The last result that speaks of this, as the model read it: of what happened, or of hits."""
    for message in reversed(model.requests[-1].messages):
        content: Any = message["content"]
        for block in cast("list[Any]", content) if isinstance(content, list) else ():
            if block.get("type") == "tool_result" and of in json.dumps(block):
                plain = result_text(block["content"])
                return json.loads(plain[plain.index("{") : plain.rindex("}") + 1])
    raise LookupError(f"no result speaks of {of}")


def found(model: ScriptedModel) -> list[dict[str, Any]]:
    """The hits of the last search."""
    return told(model, "hits")["hits"]


async def on_discord(
    platform: DiscordPlatform, model: ScriptedModel, who: DiscordPerson, number: int
) -> list[dict[str, Any]]:
    model.add(SEARCH, say(f"answer {number}"))
    who.say(who.dm, "what about the budgets?")
    await platform.until(lambda: any(f"answer {number}" in one.content for one in who.sees(who.dm)))
    return found(model)


async def test_on_discord(tmp_path: Path):
    model = ScriptedModel()
    async with house(tmp_path, model) as made:
        platform, world = made.platform, made.platform.world
        assert made.general.guild is not None
        vault: DiscordChannel = platform.channel(made.general.guild, "vault")
        vault.hidden, vault.admits = True, {made.ann.user.id}
        platform.gateway.dispatch("CHANNEL_CREATE", platform.payloads.channel(vault))
        closed = world.add_thread(vault, "closed", made.ann.user.id)
        closed.closed, closed.admits = True, {made.troll.user.id}
        platform.gateway.dispatch("THREAD_CREATE", platform.payloads.channel(closed))
        guest = platform.person("Guest")
        said = guest.say(vault, "the budgets are spent")
        guest.say(closed, "the budgets of the closed thread")
        opened = made.ben.say(made.general, "our budgets are public")

        seen = await on_discord(platform, model, made.ann, 1)
        assert {hit["text"] for hit in seen} == {"the budgets are spent", "our budgets are public"}
        link = f"https://discord.com/channels/{made.general.guild.id}/{vault.id}/{said.id}"
        linked = [(hit["where"], hit["by"]) for hit in seen if hit["link"] == link]
        assert linked == [("#vault", "Guest")]

        seen = await on_discord(platform, model, made.ben, 2)
        assert [hit["text"] for hit in seen] == ["our budgets are public"]
        assert seen[0]["by"] == "the asker"

        made.general.guild.left.add(guest.user.id)
        assert opened.channel is made.general
        assert await on_discord(platform, model, guest, 3) == []


async def test_what_was_said_before_on_discord(tmp_path: Path):
    model = ScriptedModel()
    async with town(tmp_path) as made:
        assert made.general.guild is not None
        vault = made.platform.channel(made.general.guild, "vault")
        vault.hidden, vault.admits = True, {made.ann.user.id}
        made.ben.say(vault, "old budgets of the vault")
        made.ben.say(made.general, "old budgets for all")
        made.platform.channels.indexed.add(made.general.guild.id)
        async with serving(made, tmp_path, model, search=True):
            seen = await on_discord(made.platform, model, made.ann, 1)
            texts = {hit["text"] for hit in seen}
            assert texts == {"old budgets of the vault", "old budgets for all"}
            assert all(hit["link"].startswith("https://discord.com/channels/") for hit in seen)
            seen = await on_discord(made.platform, model, made.ben, 2)
            assert [hit["text"] for hit in seen] == ["old budgets for all"]


async def on_slack(
    slack: SlackPlatform, model: ScriptedModel, who: Person, number: int
) -> list[dict[str, Any]]:
    model.add(SEARCH, say(f"answer {number}"))
    who.say("what about the budgets?")
    await reads(slack, who, f"answer {number}")
    return found(model)


async def test_on_slack(slack: SlackPlatform, ann: Person, bob: Person, tmp_path: Path):
    known(tmp_path, ann, bob)
    vault = slack.channel("vault", ann, kind=ChannelKind.PRIVATE)
    square = slack.channel("square", ann)
    guest = slack.person("gus")
    slack.world.members[guest.id].guest = True
    model = ScriptedModel()
    async with app_on_slack(tmp_path, slack, model):
        said = ann.say("the budgets are spent", vault)
        ann.say("our budgets are public", square)
        await slack.settled()

        seen = await on_slack(slack, model, ann, 1)
        assert {hit["text"] for hit in seen} == {"the budgets are spent", "our budgets are public"}
        link = f"https://house.slack.com/archives/{vault.id}/p{said.ts.replace('.', '')}"
        assert [hit["where"] for hit in seen if hit["link"] == link] == ["#vault"]

        seen = await on_slack(slack, model, bob, 2)
        assert [hit["text"] for hit in seen] == ["our budgets are public"]
        assert (seen[0]["where"], seen[0]["by"]) == ("#square", "ann")

        assert await on_slack(slack, model, guest, 3) == []


async def test_what_was_said_before_on_slack(
    ann: Person, bob: Person, slack: SlackPlatform, tmp_path: Path
):
    vault = slack.channel("vault", ann, kind=ChannelKind.PRIVATE)
    square = slack.channel("square", ann)
    slack.grant.scopes.update(SEARCH_SCOPES)
    model = ScriptedModel()
    slack.faults.lose_events = True
    ann.say("old budgets of the vault", vault)
    ann.say("old budgets for all", square)
    slack.faults.lose_events = False
    async with app_on_slack(tmp_path, slack, model, search=True):
        for number, person in enumerate((ann, bob), 1):
            (hit,) = await on_slack(slack, model, person, number)
            assert (hit["text"], hit["where"]) == ("old budgets for all", "#square")
            assert hit["link"].startswith("https://house.slack.com/archives/")
        ann.say("new budgets for all", square)
        await slack.settled()
        seen = [hit for hit in await on_slack(slack, model, ann, 3) if hit["where"] == "#square"]
        assert len(seen) == 2, "what is on record comes once"
    searches = slack.log.named("assistant.search.context")
    assert [made.answer for made in searches] == ["ok", "ok", "ok"]


# What happened here since somebody was last here: with links, by rights, through real clients.


UNLOCK = calls(("tool_search", {"pattern": "catch_me_up"}))
ASKED = (UNLOCK, calls(("catch_me_up", {})))
SQUARE = {"where": "square", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
UNASKED = {**SQUARE, "addressed": Addressed.NONE}
THREAD = {"where": "t", "channel": "square", "place": Place.THREAD, "addressed": Addressed.FOLLOWED}


async def test_it_begins_where_their_last_visit_ended(tmp_path: Path):
    know(tmp_path, ann="Friend", ben="Friend")
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
    know(tmp_path, ann="Friend", ben="Friend")
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
