"""Time without Bellhop on both platforms: messages of that time are answered once, in order."""

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.loopback.discord import Channel, DiscordPlatform, Fault
from bot.loopback.discord.faults import user_rate_limit
from bot.loopback.slack import APP_TOKEN, BOT_TOKEN, TEAM, RateLimited, SlackPlatform, Status
from bot.plugins.discord_chat.rates import Pace
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.catch_up_world import HOUR_S, World, repeat
from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.discord_town import PATIENT
from bot.testing.fake_clock import FakeClock
from bot.testing.home_files import contact, know
from bot.testing.plan_model import PlanModel
from tests.thoroughness import tried


@pytest.fixture(autouse=True)
def _quick_discord(monkeypatch: pytest.MonkeyPatch) -> None:
    def pace(**_chosen: int) -> Pace:
        return PATIENT

    monkeypatch.setattr("bot.plugins.discord_chat.adapter.Pace", pace)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncGenerator[World]:
    clock = FakeClock()
    async with (
        DiscordPlatform(None, clock) as discord,
        SlackPlatform(manifest(SlackSettings()), clock) as slack,
    ):
        people = {name: discord.person(name) for name in ("Ann", "Ben")}
        slackers = {name: slack.person(name.lower()) for name in ("Ann", "Ben")}
        contacts = [
            contact(name, "Friend", discord=one.id, slack=f"{TEAM}:{slackers[name].id}")
            for name, one in people.items()
        ]
        know(tmp_path, *contacts)
        settings = {
            "discord": {
                "enabled": True,
                "api_base": discord.api_base,
            },
            "slack": {"enabled": True, "api_base": slack.api_base},
            "catch_up": {"messages": 4},
            # The clock goes on while sockets are slow; nobody is to be told that they wait for a
            # place.
            "turns": {"per_person": 50},
        }
        (tmp_path / "bellhop.yaml").write_text(json.dumps(settings))
        secrets = {
            "DISCORD_TOKEN": discord.options.token,
            "SLACK_BOT_TOKEN": BOT_TOKEN,
            "SLACK_APP_TOKEN": APP_TOKEN,
        }
        (tmp_path / ".env").write_text(
            "".join(f"{name}={value}\n" for name, value in secrets.items())
        )
        office = slack.channel("office", *slackers.values())
        slack.faults.lose_events = True
        guild = discord.guild()
        yield World(
            tmp_path, clock, discord, slack, guild, discord.channel(guild), office, people, slackers
        )


FIRST = ["d-root", "d-dm", "s-root", "s-dm"]
"""What was answered before the time without Bellhop."""


async def first_life(world: World) -> Channel:
    """Ann talks with it everywhere, so that it knows the places; gives the thread on Discord."""
    ann, slacker = world.people["Ann"], world.slackers["Ann"]
    async with world.bellhop() as (app, _):
        root = ann.say(world.general, "d-root", mention=True)
        ann.say(ann.dm, "d-dm")
        slacker.mention("s-root", world.office)
        slacker.say("s-dm")
        await world.until(lambda: len(world.heard()) == 4)
        await world.caught_up(app)
    thread = ann.thread_of(root)
    assert thread is not None
    return thread


async def test_two_hours_of_downtime_are_caught_up_with_on_both_platforms(world: World):
    thread = await first_life(world)
    ann, ben = world.people["Ann"], world.people["Ben"]
    sann, sben = world.slackers["Ann"], world.slackers["Ben"]
    root = next(m for m in world.slack.world.messages if "s-root" in m.text)
    side = world.discord.channel(world.guild, "side")
    lobby = world.slack.channel("lobby", sann, sben)
    await world.clock.advance(HOUR_S)
    ann.say(thread, "d1")
    sann.reply(root, "s1")
    ann.say(ann.dm, "d-dm1")
    sann.say("s-dm1")
    await world.clock.advance(HOUR_S / 2)
    ann.say(thread, "d2")
    wrong = sann.reply(root, "s2 wrong")
    sann.edit(wrong, "s2")
    gone = ann.say(thread, "d gone")
    ann.delete(gone)
    ben.say(side, "d-new", mention=True)
    sben.mention("s-new", lobby)
    sben.say("s-new-dm")
    world.discord.person("Robot", bot=True).say(world.general, "d-robot", mention=True)
    await world.clock.advance(HOUR_S / 2)
    async with world.bellhop() as (app, _):
        await world.until(lambda: len(world.heard()) >= 4 + 9)
        await world.caught_up(app)
        sann.reply(root, "s3")
        await world.until(lambda: len(world.heard()) >= 4 + 10)
    assert sorted(world.heard()) == sorted(
        [
            "d-root",
            "d-dm",
            "s-root",
            "s-dm",
            "d1",
            "s1",
            "d-dm1",
            "s-dm1",
            "d2",
            "s2",
            "d-new",
            "s-new",
            "s-new-dm",
            "s3",
        ]
    )
    assert "; ".join(world.on_discord(thread)) == "heard d-root; heard d1; heard d2"
    assert (
        "; ".join(world.on_slack(world.office, root.ts))
        == "heard s-root; heard s1; heard s2; heard s3"
    )
    async with world.bellhop() as (app, _):  # nothing is left for a third start
        await world.caught_up(app)
    assert len(world.heard()) == 14


AWAY = "I was away. {} not answered; ask again if it still matters."


async def test_old_and_excess_messages_are_announced_once_and_not_answered(world: World):
    thread = await first_life(world)
    ann, slacker = world.people["Ann"], world.slackers["Ann"]
    ann.say(thread, "d-old")
    slacker.mention("s-old", world.office)
    await world.clock.advance(25 * HOUR_S)
    ann.say(thread, "d-new")
    for number in range(6):
        slacker.say(f"s-dm{number}")
    for _ in range(2):
        async with world.bellhop() as (app, _database):
            await world.until(lambda: len(world.heard()) >= 4 + 5)
            await world.caught_up(app)
    one, two = AWAY.format("An older message here was"), AWAY.format("2 older messages here were")
    assert world.on_discord(thread) == ["heard d-root", one, "heard d-new"]
    assert [text for text in world.on_slack(world.office) if "heard" not in text] == [one]
    direct = world.on_slack(slacker.dm)
    assert direct.count(two) == 1
    assert "; ".join(text for text in direct if text != two) == "heard s-dm; " + "; ".join(
        f"heard s-dm{number}" for number in range(2, 6)
    )


async def test_platforms_that_ask_to_wait_or_break_are_asked_again(world: World):
    thread = await first_life(world)
    world.people["Ann"].say(thread, "d1")
    world.slackers["Ann"].say("s-dm1")
    world.slack.fail("users.conversations", RateLimited(2), RateLimited(50))
    world.slack.fail(
        "conversations.history", Status(503), RateLimited(1), Status(503), Status(503), Status(503)
    )
    history = r"/channels/\d+/messages"
    world.discord.fault(user_rate_limit(0.01, history))
    world.discord.fault(Fault("GET", history, reset=True, times=4))
    async with world.bellhop() as (app, _):
        await world.until(lambda: len(world.heard()) == 4 + 2)
        await world.caught_up(app)
    assert sorted(world.heard()) == sorted([*FIRST, "d1", "s-dm1"])


async def test_history_and_three_deliveries_of_the_same_are_one_answer(world: World):
    thread = await first_life(world)
    ann, slacker = world.people["Ann"], world.slackers["Ann"]
    world.discord.gateway.copies = world.slack.faults.copies = 3
    ann.say(thread, "d1")
    slacker.mention("s1", world.office)
    world.slack.faults.lose_events = False
    slacker.mention("s2", world.office)  # waits for a socket, and stands in the history too
    async with world.bellhop() as (app, _):
        ann.say(thread, "d2")
        slacker.mention("s3", world.office)
        await world.until(lambda: len(world.heard()) >= 4 + 5)
        await world.slack.settled()
        await world.caught_up(app)
    assert sorted(world.heard()) == sorted([*FIRST, "d1", "d2", "s1", "s2", "s3"])
    assert "; ".join(world.on_discord(thread)) == "heard d-root; heard d1; heard d2"


async def test_a_thread_that_went_to_sleep_meanwhile_is_read_too(world: World):
    thread = await first_life(world)
    world.people["Ann"].say(thread, "d1")
    await world.clock.advance(HOUR_S)
    thread.archived = True
    async with world.bellhop() as (app, _):
        await world.until(lambda: len(world.heard()) == 4 + 1)
        await world.caught_up(app)
    assert world.on_discord(thread) == ["heard d-root", "heard d1"]


class Slow(PlanModel):
    """Answers nothing while it is held."""

    def __init__(self) -> None:
        super().__init__({}, otherwise=repeat)
        self.go = asyncio.Event()

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        await self.go.wait()
        return await super().sample(request, on_delta)


async def test_changes_during_an_absence_to_known_messages_are_taken_over(world: World):
    thread = await first_life(world)
    ben, ann = world.people["Ben"], world.people["Ann"]
    sben, sann = world.slackers["Ben"], world.slackers["Ann"]
    root = next(m for m in world.slack.world.messages if "s-root" in m.text)
    world.model = slow = Slow()
    texts = ("begun", "stays", "wrong", "taken back")
    async with world.bellhop() as (app, _):
        waiting = [(ann.say(thread, f"d-{text}"), sann.reply(root, f"s-{text}")) for text in texts]
        chat = [
            (ben.say(world.general, f"d-chat{n}"), sben.say(f"s-chat{n}", world.office))
            for n in range(3)
        ]
        await world.until_recorded(app, 4 + 2 * len(texts) + 2 * len(chat))
    (on_discord, on_slack), (d_gone, s_gone) = waiting[2:]
    ann.edit(on_discord, "d-right")
    sann.edit(on_slack, "s-right")
    ann.delete(d_gone)
    sann.delete(s_gone)
    ben.edit(chat[0][0], "d-chat0 as it is now")
    sben.edit(chat[0][1], "s-chat0 as it is now")
    ben.delete(chat[1][0])
    sben.delete(chat[1][1])
    await world.clock.advance(HOUR_S)
    for _ in range(2):  # and nothing of it a second time
        async with world.bellhop() as (app, _database):
            await world.read_up(app)
            slow.go.set()
            await world.caught_up(app)
            rows = await app.database.read(
                "SELECT text FROM messages WHERE text LIKE '%-chat%' ORDER BY text"
            )
            assert [row["text"] for row in rows] == [
                "d-chat0 as it is now",
                "d-chat2",
                "s-chat0 as it is now",
                "s-chat2",
            ]
    answered = [f"{where}-{text}" for where in "ds" for text in ("begun", "stays", "right")]
    assert sorted(world.heard()) == sorted([*FIRST, *answered])


async def test_new_messages_are_answered_beside_a_long_catch_up(world: World):
    await first_life(world)
    slacker, slack = world.slackers["Ann"], world.slack
    rooms = [slack.channel(f"room{number}", slacker) for number in range(80)]
    await world.clock.advance(HOUR_S)
    slack.log.calls.clear()
    slack.enforce_rates()

    def read() -> int:
        return len({call.arguments["channel"] for call in slack.log.named("conversations.history")})

    async with world.bellhop():
        await world.until(lambda: read() > 25)
        now = world.clock.monotonic()
        for text, room in (("s-now", world.office), ("s-last", rooms[-1]), ("s-dm-now", None)):
            slacker.mention(text, room) if room else slacker.say(text)
            await slack.until(
                lambda text=text: f"heard {text}" in [message.text for message in slack.said], 30
            )
        assert (world.clock.monotonic(), read() < 60) == (now, True)  # no time had to pass
    assert not [call for call in slack.log.calls if call.answer == "ratelimited"]
    assert sorted(world.heard()) == sorted([*FIRST, "s-now", "s-last", "s-dm-now"])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("write", "moment"),
    [*tried(itertools.product((1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20), Moment))],
)
async def test_a_crash_in_the_middle_of_it_changes_nothing(
    write: int, moment: Moment, world: World
):
    thread = await first_life(world)
    ann, slacker = world.people["Ann"], world.slackers["Ann"]
    for number in range(3):
        ann.say(thread, f"d{number}")
        slacker.say(f"s-dm{number}")
        slacker.mention(f"s{number}", world.office)
    for _ in range(6):
        slacker.say("s-late")
    async with world.bellhop(CrashPoint(write, moment)) as (app, database):
        await world.until(lambda: database.gone)
    async with world.bellhop() as (app, _):
        await world.until(lambda: len(world.heard()) >= 4 + 6 + 4)
        await world.caught_up(app)
    heard = world.heard()
    assert sorted(heard) == sorted(
        ["d-root", "d-dm", "s-root", "s-dm", "d0", "d1", "d2", "s0", "s1", "s2"] + ["s-late"] * 4
    )
    assert "; ".join(world.on_discord(thread)) == "heard d-root; heard d0; heard d1; heard d2"
    slow = "I am working on"  # said when the machine is, which is nothing of the catch-up
    told = [
        text
        for text in world.on_slack(slacker.dm)
        if "heard" not in text and not text.startswith(slow)
    ]
    assert told == [AWAY.format("5 older messages here were")]
