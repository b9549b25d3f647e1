"""Due work on loopback platforms with real clients: reminders, also for others, schedules."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app import AppOptions
from bot.domain.chat import ChatAdapter, KnowsMembers
from bot.domain.messages import Conversation, Place
from bot.testing.both_platforms import PLATFORMS, PlatformTown, Shown, reads, write_contacts
from bot.testing.fake_clock import FakeClock
from bot.testing.running import running
from bot.testing.tools import NO_SANDBOX


@dataclass
class House:
    """One process of Bellhop, with the offline model and a clock that `go` moves."""

    town: PlatformTown
    chat: ChatAdapter
    clock: FakeClock

    async def reads(self, who: str, text: str, count: int = 1) -> Shown:
        """Wait until a person sees `count` Bellhop messages with these words; the last one."""
        return await reads(self.town, who, text, count)

    async def go(self, **time: float) -> None:
        await self.clock.advance(timedelta(**time).total_seconds())


@pytest.fixture(params=list(PLATFORMS))
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[House]:
    (tmp_path / "bellhop.yaml").write_text(f"{NO_SANDBOX}model: {{provider: offline}}\n")
    async with PLATFORMS[request.param]() as town:
        write_contacts(tmp_path, town)
        async with serving(tmp_path, town) as made:
            yield made


@asynccontextmanager
async def serving(home: Path, town: PlatformTown) -> AsyncGenerator[House]:
    clock, chat = FakeClock(), town.connect()
    async with running(AppOptions(home, [chat], clock=clock)) as app:
        vars(app.engine)["_drain_s"] = 0.0
        await town.ready()
        yield House(town, chat, clock)


async def test_due_things_are_posted_with_working_buttons(house: House):
    town = house.town
    town.talk("Ben", "hello")  # where nobody tells who reads a place, he shows that he is there
    town.say("Ann", "remind me in 2 minutes to stretch")
    await house.reads("Ann", "rings Saturday 21 November 2026, 10:02 (Europe/Berlin)")
    await house.go(minutes=2)
    rung = await house.reads("Ann", "Reminder: ")
    assert "stretch" in rung.text
    assert rung.labels == ("Done", "Tomorrow", "In 1 h")
    rung.click("Done")
    await house.reads("Ann", "Done: “stretch”")
    await town.until(
        lambda: not any(one.labels for one in town.sees("Ann") if "Reminder: " in one.text)
    )

    town.say("Ann", "remind Ben in 1 hour to sign the lease")
    await house.reads("Ann", "Ben is reminded on Saturday 21 November 2026, 11:02")
    assert not [one for one in town.sees("Ben") if one.direct]
    await house.go(hours=1)
    told = await house.reads("Ben", "Reminder from Ann")
    assert told.direct
    assert told.labels == ("Done", "Tomorrow", "In 1 h", "Stop Ann")
    assert not [one for one in town.sees("Ann") if "Reminder from" in one.text]
    told.click("Stop Ann")
    await house.reads("Ben", "can't set reminders for you any more")
    town.say("Ann", "remind Ben in 1 hour to call")
    await house.reads("Ann", "Ben doesn't accept reminders from Ann")

    town.say("Ann", "every day at 12 list my todos here")
    await house.reads("Ann", "every day at 12: ")
    town.say("Ann", "add a todo: buy milk")
    await house.reads("Ann", "buy milk")
    before = len([one for one in town.sees("Ann") if "buy milk" in one.text])
    await house.go(hours=1)
    listed = await house.reads("Ann", "buy milk", before + 1)
    assert not listed.direct


async def test_the_platform_says_who_is_a_member_now(house: House):
    town, chat = house.town, house.chat
    assert isinstance(chat, KnowsMembers)
    there = Conversation(town.platform, town.workspace, town.channel, Place.CHANNEL)
    ann, ben = (town.ids[name].rpartition(":")[2] for name in ("Ann", "Ben"))
    found = await chat.member(there, ann)
    assert found is not None
    assert (found.id, found.is_bot, found.platform_roles) == (
        ann,
        False,
        tuple(filter(None, [town.team])),
    )
    town.leave("Ben")
    assert await chat.member(there, ben) is None
    assert await chat.member(there, "999") is None
