"""The same on loopback Discord and Slack with the real clients, and every kind of their places."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeAlias

from bot.app import App, AppOptions
from bot.clock import SystemClock
from bot.domain.chat import ChatAdapter
from bot.loopback.discord import DiscordPlatform
from bot.loopback.slack import TEAM, SlackPlatform
from bot.loopback.slack.world import ChannelKind as SlackKind
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.discord_town import PATIENT
from bot.testing.privacy_campaign import orders
from bot.testing.privacy_campaign.ledger import Ledger, Spot
from bot.testing.privacy_campaign.obedient import Event, ObedientModel
from bot.testing.privacy_campaign.people import curious_assistant
from bot.testing.privacy_campaign.searching import HeardLog, Search
from bot.testing.running import running
from bot.testing.slack_house import TOKENS, HurriedClock

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
PRIVATE = NAMES[:3]
"""Who is in the private places."""
_ROLES = ("Partner", "Friend", "Friend", "Friend", "Business", "Guest")


@dataclass
class Ground:
    """One platform: its places and who is in them."""

    name: str
    chat: ChatAdapter
    ids: dict[str, str]
    say: dict[str, Callable[[str, str], object]]
    """How somebody writes to Bellhop in each place: (who, text)."""
    posted: Callable[[], Sequence[tuple[str, str, str]]]
    """What Bellhop posted since the last look: the place, its one reader if there is one, text."""
    ready: Callable[[], bool]
    private: Sequence[str]
    """The places that only `PRIVATE` can read."""
    keys: Mapping[str, str]
    """The names of its places, by the keys of their channels."""


@asynccontextmanager
async def on_discord() -> AsyncGenerator[Ground]:
    """A public channel, a hidden one, and a private thread of the public one."""
    async with DiscordPlatform() as platform:
        people = {name: platform.person(name) for name in NAMES}
        guild = platform.guild()
        general, vault = platform.channel(guild), platform.channel(guild, "vault")
        vault.hidden = True
        inside = {people[name].user.id for name in PRIVATE}
        vault.admits |= inside
        closed = platform.world.add_thread(general, "closed", people["Ann"].user.id)
        closed.closed = True
        closed.admits |= inside | {platform.world.bot.id}
        places = {"general": general, "vault": vault, "closed": closed}
        named = {channel.id: name for name, channel in places.items()}
        whose = {person.user.id: name for name, person in people.items()}
        direct = {person.dm.id: name for name, person in people.items()}
        seen: set[int] = set()

        def posted() -> list[tuple[str, str, str]]:
            found: list[tuple[str, str, str]] = []
            for channel in platform.world.channels.values():
                above = named.get(channel.id) or (channel.parent and named.get(channel.parent.id))
                for message in channel.messages.values():
                    if message.author is platform.world.bot and message.id not in seen:
                        seen.add(message.id)
                        text = (
                            f"{message.content} {json.dumps([message.components, message.embeds])}"
                        )
                        alone = direct.get(channel.id) or whose.get(message.only_for or 0, "")
                        found.append((above or "", alone, text))
            return found

        yield Ground(
            "discord",
            DiscordChat(
                DiscordSettings(enabled=True, api_base=platform.api_base),
                platform.options.token,
                ChatServices(SystemClock()),
                pace=PATIENT,
            ),
            {name: person.id for name, person in people.items()},
            {
                "": lambda who, text: people[who].say(people[who].dm, text),
                **{
                    name: lambda who, text, channel=channel: people[who].say(
                        channel, text, mention=True
                    )
                    for name, channel in places.items()
                },
            },
            posted,
            lambda: bool(platform.gateway.connected and platform.interactions.commands),
            ("vault", "closed"),
            {f"discord:{guild.id}:{id_}": f"discord/{name}" for id_, name in named.items()},
        )


@asynccontextmanager
async def on_slack() -> AsyncGenerator[Ground]:
    """A public channel, a private one, and a group conversation."""
    async with SlackPlatform(manifest(SlackSettings())) as platform:
        people = {name: platform.person(name.lower()) for name in NAMES}
        inside = [people[name] for name in PRIVATE]
        places = {
            "office": platform.channel("office", *people.values()),
            "cellar": platform.channel("cellar", *inside, kind=SlackKind.PRIVATE),
            "group": platform.channel("group", *inside, kind=SlackKind.MPIM),
        }
        named = {channel.id: name for name, channel in places.items()}
        whose = {person.id: name for name, person in people.items()}
        direct = {person.dm.id: name for name, person in people.items()}
        chat = SlackChat(
            SlackSettings(enabled=True, api_base=platform.api_base),
            TOKENS,
            ChatServices(HurriedClock()),
        )
        read = [0]

        def posted() -> list[tuple[str, str, str]]:
            new = platform.world.messages[read[0] :]
            read[0] = len(platform.world.messages)
            return [
                (
                    named.get(one.channel, ""),
                    direct.get(one.channel) or whose.get(one.only_for or "", ""),
                    f"{one.text} {json.dumps(one.blocks)}",
                )
                for one in new
                if one.from_bot
            ]

        yield Ground(
            "slack",
            chat,
            {name: f"{TEAM}:{person.id}" for name, person in people.items()},
            {
                "": lambda who, text: people[who].say(text),
                **{
                    name: lambda who, text, channel=channel: people[who].mention(text, channel)
                    for name, channel in places.items()
                },
            },
            posted,
            lambda: chat.connected,
            ("cellar", "group"),
            {f"slack:{TEAM}:{id_}": f"slack/{name}" for id_, name in named.items()},
        )


OnGround: TypeAlias = Callable[[], AbstractAsyncContextManager[Ground]]
GROUNDS: Sequence[OnGround] = (on_discord, on_slack)


async def play_on(
    ground: Ground, home: Path, requests: int, random: Random, *, sends: bool = True
) -> ObedientModel:
    """Let people tell and look in all places of one platform, and search everything."""
    ledger = Ledger()
    model = ObedientModel(ledger)
    for place in ground.private:
        ledger.members[f"{ground.name}/{place}"] = set(PRIVATE)
    _furnish(home, ground)
    with HeardLog(ledger):
        async with _running(home, ground, model) as app:
            await _talk(app, ground, model, requests, random, sends=sends)
            search = Search(ledger, {name.lower(): name for name in NAMES}, ground.keys)
            await search.rows(app.database)
    search.files(home)
    return model


async def _talk(
    app: App,
    ground: Ground,
    model: ObedientModel,
    requests: int,
    random: Random,
    *,
    sends: bool,
) -> None:
    ledger = model.ledger
    for number in range(requests):
        who = random.choice(NAMES)
        mine = [one for one in ground.say if one not in ground.private or who in PRIVATE]
        place = random.choice(mine)
        key = f"{ground.name}/{place}" if place else ""
        others = [name for name in NAMES if name != who]
        event = Event(number, Spot(who, key))
        model.events.append(event)
        if random.random() < 0.5:
            secret = ledger.tell(who, key, "on a platform")
            event.steps = [orders.UNLOCK, orders.keeping_one(secret.token, number)]
            text = f"The codeword is {secret.words}."
        else:
            looks = orders.looks(random, others, len(ledger.secrets), ())
            keeping = orders.keeping(random, others if sends else ())
            event.steps = [orders.UNLOCK, orders.looking(looks), keeping]
            text = "What is the codeword?"
        ground.say[place](who, f"do:e{number}. {text}")
        await _idle(app)
        _look(ground, ledger)


def _look(ground: Ground, ledger: Ledger) -> None:
    for place, alone, text in ground.posted():
        spot = Spot(alone) if alone else Spot("its readers", f"{ground.name}/{place}")
        ledger.look("a post", text, spot)


def _furnish(home: Path, ground: Ground) -> None:
    entries = [
        {"id": name.lower(), "name": name, "role": role, "ids": {ground.name: [ground.ids[name]]}}
        for name, role in zip(NAMES, _ROLES, strict=True)
    ]
    (home / "contacts.yaml").write_text(json.dumps(entries))
    agents = home / "prompts" / "agents"
    agents.mkdir(parents=True)
    (agents / "assistant.md").write_text(curious_assistant())


@asynccontextmanager
async def _running(home: Path, ground: Ground, model: ObedientModel) -> AsyncGenerator[App]:
    async with running(AppOptions(home, [ground.chat], model)) as app:
        await _until(ground.ready)
        yield app


async def _idle(app: App) -> None:
    """Wait until what was just said is accepted and answered."""
    for _ in range(20):
        await asyncio.sleep(0.01)
    await _until(lambda: app.engine.started and not app.engine.busy)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - the loopbacks have no such event
            await asyncio.sleep(0.01)
