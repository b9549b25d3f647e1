"""Lines to platforms: each is held by one gateway, and Discord's shards are lines."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.chat.remote.caller import Caller
from bot.chat.remote.calls import GatewayLine, call_of
from bot.chat.remote.held import CallDesk, HeldLine, Pulse, Shares
from bot.chat.remote.notes import note_from_text
from bot.clock import SystemClock
from bot.domain.chat import LiveReply
from bot.domain.lines import Shard, platform_of, serves
from bot.domain.messages import DIRECT, Conversation, OutgoingMessage, Place, Receipt, ReplyTarget
from bot.domain.processes import OneProcess
from bot.errors import DeliveryError
from bot.loopback.discord import DiscordPlatform, Guild
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.plugin import DISCORD
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.plugins.slack_chat.plugin import SLACK
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.discord_town import PATIENT, Inbox
from bot.testing.fake_chat import FakeChat
from bot.testing.refusals import passing
from bot.testing.remote_town import PATIENT as PATIENT_CALLER
from bot.testing.remote_town import FakeLocks, remote_town
from bot.testing.waiting import until

QUICK = Pulse(here=0.02, gone=60, look=0.01, left_over=0.05)
LINES = [Shard(number, 4).line("discord") for number in range(4)]


def test_a_line_says_its_platform_and_its_shard():
    assert LINES[1] == "discord/1-of-4"
    assert Shard.of_line(LINES[1]) == Shard(1, 4)
    assert platform_of(LINES[1]) == platform_of("discord") == "discord"
    assert Shard(0, 1).line("discord") == "discord"
    assert Shard.of_line("discord") is None


def test_a_server_belongs_to_one_shard_and_direct_messages_to_the_first():
    server = str((5 << 22) + 3)
    assert [serves(line, server) for line in LINES] == [False, True, False, False]
    assert [serves(line, DIRECT) for line in LINES] == [True, False, False, False]
    assert serves("discord", server)
    settings = DiscordSettings(shards=4)
    assert DISCORD.line_of(settings, server) == LINES[1]
    assert list(DISCORD.lines(settings)) == LINES
    assert list(DISCORD.lines(DiscordSettings())) == ["discord"]


def test_slack_gives_events_to_any_gateway_over_http_alone():
    assert SLACK.gives_events_to_any(SlackSettings(mode="http"))
    assert not SLACK.gives_events_to_any(SlackSettings())
    assert list(SLACK.lines(SlackSettings())) == ["slack"]


@dataclass
class Gateway:
    """Its lines, and the adapters behind them."""

    locks: FakeLocks
    held: list[HeldLine]
    running: list[asyncio.Task[None]]

    @property
    def count(self) -> int:
        return sum(line.is_held for line in self.held)

    async def die(self) -> None:
        for task in self.running:
            task.cancel()
        await asyncio.wait(self.running)


class Town:
    """Gateways that share the lines of a platform."""

    def __init__(self, pulse: Pulse = QUICK) -> None:
        self.network = OneProcess()
        self.holders: dict[str, FakeLocks] = {}
        self.gateways: list[Gateway] = []
        self._pulse = pulse

    def gateway(
        self, lines: list[str], *, listens_anyway: bool = False, adapter: FakeChat | None = None
    ) -> Gateway:
        name = f"gateway {len(self.gateways)}"
        desk = CallDesk(self.network, name, keeps_nothing)
        shares = Shares(self.network, name, self._pulse)
        locks = FakeLocks(self.holders)
        held = [
            HeldLine(
                line, adapter or FakeChat(), desk, locks, shares, listens_anyway=listens_anyway
            )
            for line in lines
        ]
        runs = [shares.run(), *(line.run(Inbox().accept) for line in held)]
        made = Gateway(locks, held, [asyncio.create_task(run) for run in runs])
        self.gateways.append(made)
        return made


async def keeps_nothing(pieces: AsyncGenerator[bytes]) -> str:
    raise AssertionError(pieces)


@asynccontextmanager
async def sharing(pulse: Pulse = QUICK) -> AsyncGenerator[Town]:
    town = Town(pulse)
    try:
        yield town
    finally:
        for one in town.gateways:
            await one.die()


async def test_gateways_share_lines_out_and_take_over_those_of_one_that_dies(
    caplog: pytest.LogCaptureFixture,
):
    caplog.set_level(logging.INFO)
    async with sharing(Pulse(here=0.02, gone=0.5, look=0.01, left_over=60)) as town:
        first = town.gateway(LINES)
        await until(lambda: first.count == 4)
        second = town.gateway(LINES)
        await until(lambda: (first.count, second.count) == (2, 2))
        assert [line.platform for line in first.held if line.is_held] == LINES[:2]
        await first.die()
        await until(lambda: second.count == 4)
    waits = [line for line in caplog.messages if "another gateway serves it; this one" in line]
    assert len([line for line in waits if LINES[0] in line]) == 1, "said once"


async def test_a_line_that_nobody_takes_is_taken_beyond_the_share():
    async with sharing() as town:
        town.network.post("gateways", '{"note": "here", "by": "one that can\'t connect"}')
        only = town.gateway(LINES)
        await until(lambda: only.count == 4)


async def test_a_lost_line_is_served_by_another_and_no_longer_here():
    async with sharing() as town:
        first = town.gateway(["slack"])
        await until(lambda: first.count)
        second = town.gateway(["slack"])
        first.locks.lose("line:slack")
        await until(lambda: first.count + second.count == 1 and town.holders)


class Slow(FakeChat):
    """Waits for a limit of the platform before it posts."""

    def __init__(self) -> None:
        super().__init__()
        self.waits, self.go_on = asyncio.Event(), asyncio.Event()

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        self.waits.set()
        await self.go_on.wait()
        return await super().send(message, key, live)


class Late(OneProcess):
    """Keeps each "go" back until `let_go`."""

    def __init__(self) -> None:
        super().__init__()
        self.go_ahead: list[tuple[str, str]] = []
        self._is_open = False

    def post(self, channel: str, text: str) -> None:
        if note_from_text(text).note == "go" and not self._is_open:
            self.go_ahead.append((channel, text))
        else:
            super().post(channel, text)

    def let_go(self) -> None:
        self._is_open = True
        self.post(*self.go_ahead[0])


async def test_calls_that_wait_on_a_lost_line_are_not_made():
    async with sharing() as town:
        slow = Slow()
        # It hears without the line, so its adapter isn't ended with it.
        gateway = town.gateway(["slack"], listens_anyway=True, adapter=slow)
        await until(lambda: gateway.count)
        caller = Caller(town.network, "worker", PATIENT_CALLER)
        target = ReplyTarget(Conversation("slack", "w", "general", Place.CHANNEL))
        call = call_of(GatewayLine.send, OutgoingMessage(target, "hello"), "k1")
        sending = asyncio.create_task(caller.call("slack", call))
        await slow.waits.wait()
        gateway.locks.lose("line:slack")
        with pytest.raises(DeliveryError, match="lost the line", check=passing):
            await sending
        slow.go_on.set()
        await until(lambda: gateway.count)
        assert slow.posts == []


async def test_a_call_that_was_taken_is_not_begun_after_its_line_was_lost(tmp_path: Path):
    network = Late()
    async with remote_town(tmp_path, network, network) as town:
        target = ReplyTarget(Conversation("discord", "w", "general", Place.CHANNEL))
        sending = asyncio.create_task(town.chat.send(OutgoingMessage(target, "hello"), "k1"))
        await until(lambda: network.go_ahead)
        town.desk.lose("discord")
        network.let_go()
        with pytest.raises(DeliveryError, match="lost the line"):
            await sending
        assert town.there.posts == []


async def test_where_all_gateways_get_events_one_makes_the_calls():
    async with sharing() as town:
        both = [town.gateway(["slack"], listens_anyway=True) for _ in range(2)]
        await until(lambda: sum(one.count for one in both) == 1)
        assert [line.last_frame() for one in both for line in one.held] == [0.0, 0.0]


async def test_an_adapter_that_fails_gives_its_line_away():
    class Failing(FakeChat):
        async def run(self, accept: object) -> None:
            raise DeliveryError("no network here")

    async with sharing() as town:
        made = town.gateway([])
        shares = Shares(town.network, "x", QUICK)

        desk = CallDesk(town.network, "x", keeps_nothing)
        line = HeldLine("slack", Failing(), desk, made.locks, shares)
        with pytest.raises(DeliveryError, match="no network here"):
            await line.run(Inbox().accept)
        assert not town.holders
        assert desk.serves("slack") is None


def _guild_of(platform: DiscordPlatform, shard: Shard) -> Guild:
    while True:
        guild = platform.guild()
        if Shard.of_workspace(str(guild.id), shard.count) == shard:
            return guild
        platform.world.guilds.pop(guild.id)


async def test_each_shard_hears_its_servers_and_the_first_direct_messages():
    async with DiscordPlatform() as platform:
        shards = [Shard(number, 2) for number in range(2)]
        there = [platform.channel(_guild_of(platform, shard)) for shard in shards]
        ann = platform.person("Ann")
        addresses = {"api_base": platform.api_base}
        settings = DiscordSettings.model_validate({"enabled": True, "shards": 2, **addresses})
        logins = asyncio.Lock()
        inboxes = [Inbox(changed=platform.log.touch) for _ in shards]
        chats = [
            DiscordChat(
                settings,
                platform.options.token,
                ChatServices(SystemClock(), line=shard.line("discord"), logins=logins),
                pace=PATIENT,
            )
            for shard in shards
        ]
        running = [
            asyncio.create_task(chat.run(inbox.accept))
            for chat, inbox in zip(chats, inboxes, strict=True)
        ]
        try:
            await platform.until(lambda: len(platform.gateway.sessions) == 2 or None)
            await platform.until(lambda: all(chat.connected for chat in chats) or None)
            for number, channel in enumerate(there):
                ann.say(channel, f"to {number}", mention=True)
            ann.say(ann.dm, "just us")
            await platform.until(lambda: sum(len(one.messages) for one in inboxes) == 3 or None)
        finally:
            for task in running:
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*running)
    assert sorted(inboxes[0].texts) == ["just us", "to 0"]
    assert inboxes[1].texts == ["to 1"]
