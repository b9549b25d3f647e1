"""The offline model in a whole house: bursts of lines, schedules and reminders."""

import asyncio
from pathlib import Path

from bot.domain.messages import Place, Visibility
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.passing_time import app_with_clock, go

LINES = (
    "add a todo: buy milk",
    "add a todo: buy bread",
    "note: the key is under the mat",
    "what is 6 * 7?",
)


async def test_each_line_of_a_burst_is_done(home: Path):
    chat = FakeChat()
    async with running_app(home, None, chat) as house:
        await asyncio.gather(*(chat.say("ann", line, key=line) for line in LINES))
        await chat.until(1)
        await house.until_idle()
        told = "\n".join(chat.texts)
        assert [part in told for part in ("buy milk", "buy bread", "under the mat", "42")] == [
            True
        ] * 4
        open_ones = await house.ask("ann", "what is open?")
        assert "buy milk" in open_ones
        assert "buy bread" in open_ones


HERE = {"where": "general", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}


async def test_schedules_and_reminders_for_others_in_plain_words(home: Path):
    with (home / "bellhop.yaml").open("a") as settings:
        settings.write("model: {provider: offline}\n")
    async with app_with_clock(home, None) as at:
        said = await at.ask("ann", "every day at 11 list my todos here", **HERE)
        assert said.startswith(
            "I will do this every day at 11: **list my todos**, next on Saturday 21 November 2026"
        )
        said = await at.ask("ann", "post my open todos every day at 12", **HERE)
        assert "**post my open todos**" in said
        await at.ask("ann", "add a todo: buy milk", **HERE)
        await go(at, hours=1)
        assert "buy milk" in at.chat.posts[-1].text
        posts = len(at.chat.posts)
        await go(at, hours=1)
        assert "buy milk" in at.chat.posts[posts].text
        said = await at.ask("ann", "remind Ben in 1 hour to sign the lease", **HERE)
        assert said.startswith("Ben is reminded on Saturday 21 November 2026, 13:00")
        assert await at.ask("ann", "cancel the schedule list my todos", **HERE) == (
            "I cancelled the schedule **list my todos**."
        )
        assert "post my open todos" in await at.ask("ann", "what is scheduled?", **HERE)
        await go(at, hours=1)
        assert at.chat.posts[-1].text == "Reminder from Ann (`ann`): **sign the lease**"
