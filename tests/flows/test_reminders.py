"""Todos that ring: where they were made, with buttons, and once however often the process dies."""

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.messages import OutgoingMessage, Place
from bot.domain.models import ModelReply
from bot.testing.app_lives import AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.passing_time import app_with_clock, come_due, go
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, result_texts, say
from bot.testing.waiting import until
from tests.thoroughness import tried

TITLE = "Reminder: **call Marie**"


def todo(**arguments: str) -> ModelReply:
    return call("manage_todos", {"action": "create", "title": "call Marie", **arguments})


def unlock() -> ModelReply:
    return call("get_capabilities", {"names": ["manage_todos"]})


def rung(at: Harness) -> list[OutgoingMessage]:
    return [post.message for post in at.chat.posts if post.text.startswith("Reminder:")]


@asynccontextmanager
async def reminded(
    home: Path, model: ScriptedModel | None = None, chat: FakeChat | None = None, **due: str
) -> AsyncGenerator[Harness]:
    """A house whose clock only `go` moves, and in which Ann asked for this todo."""
    model = model or ScriptedModel()
    model.add(unlock(), todo(**due), say("ok"))
    async with app_with_clock(home, model, chat) as at:
        await at.ask("ann", "remind me to call Marie")
        yield at


GENERAL: dict[str, Any] = {"where": "general", "place": Place.CHANNEL}


async def click(at: Harness, who: str, verb: str, value: str = "", **options: object) -> str:
    """Press a button of the reminder that rang last; what is said to it."""
    ref = rung(at)[-1].choices[0].ref
    before = len(at.chat.posts)
    await at.chat.click(who, ref, verb, value, at=at.app.clock.now(), **options)
    return (await at.chat.until(before + 1))[before].text


async def test_a_due_todo_rings_where_it_was_made_without_a_model_call(home: Path):
    model = ScriptedModel(
        [unlock(), todo(dueDate="in 2 hours"), say("I will remind you.")], strict=True
    )
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "remind me in two hours to call Marie", **GENERAL)
        assert "rings" in str(model.requests[-1].messages)
        await go(at, hours=1)
        assert not rung(at)
        await go(at, hours=1)
        (message,) = rung(at)
        assert message.text == TITLE
        assert message.target.conversation == at.chat.posts[0].message.target.conversation
        assert [choice.label for choice in message.choices] == ["Done", "Tomorrow", "In 1 h"]
        assert len(model.requests) == 3
        await go(at, days=3)
        assert len(rung(at)) == 1


async def test_a_day_without_a_time_rings_in_the_morning_of_its_person(home: Path):
    async with reminded(home, model := ScriptedModel(), dueDate="2026-11-23") as at:
        assert "Monday 23 November 2026, 09:00 (Europe/Berlin)" in str(model.requests[-1].messages)
        await go(at, hours=46)
        assert not rung(at)
        await go(at, hours=1)
        assert len(rung(at)) == 1


async def test_done_ends_it_and_takes_the_buttons_away(home: Path):
    async with reminded(home, dueDate="in 1 hour") as at:
        await go(at, hours=1)
        assert await click(at, "ann", "todo_done") == "Done: “call Marie”."
        await until(lambda: ["Done"] in at.chat.closed.values())
        assert await at.command("ann", "todo") == "You have no open todos."
        assert await click(at, "ann", "todo_hour") == "Done already: “call Marie”."
        await go(at, days=2)
        assert len(rung(at)) == 1


async def test_in_an_hour_and_tomorrow_ring_again_then(home: Path):
    soon = "Saturday 21 November 2026, 12:00 (Europe/Berlin)"
    tomorrow = "Sunday 22 November 2026, 12:00 (Europe/Berlin)"
    async with reminded(home, dueDate="in 1 hour") as at:
        await go(at, hours=1)
        assert await click(at, "ann", "todo_hour") == f"I remind you of “call Marie” on {soon}."
        await until(lambda: [f"Next: {soon}"] in at.chat.closed.values())
        await go(at, hours=1)
        assert len(rung(at)) == 2
        said = await click(at, "ann", "todo_tomorrow")
        assert said == f"I remind you of “call Marie” on {tomorrow}."
        await go(at, hours=23)
        assert len(rung(at)) == 2
        await go(at, hours=1)
        assert len(rung(at)) == 3


async def test_only_the_owners_click_counts(home: Path):
    model = ScriptedModel([unlock(), todo(dueDate="in 1 hour"), say("ok")])
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "remind me", **GENERAL)
        await go(at, hours=1)
        assert "not one of your todos" in await click(at, "ben", "todo_done", **GENERAL)
        assert at.chat.posts[-1].message.target.ephemeral_to == "ben"
        assert "call Marie" in await at.command("ann", "todo")


async def test_done_moved_and_undated_todos_do_not_ring(home: Path):
    async with reminded(home, model := ScriptedModel(), dueDate="in 2 hours") as at:
        ref = (await at.command("ann", "todo")).split()[1]

        async def change(action: str = "update", **to: str) -> None:
            changed = call("manage_todos", {"action": action, "todoId": ref, **to})
            model.replace(unlock(), changed, say("changed"))
            await at.ask("ann", "change it")

        await change(dueDate="in 4 hours")
        await go(at, hours=3)
        assert not rung(at)
        await change(dueDate="")
        await go(at, days=2)
        await change(dueDate="in 1 hour")
        await change("complete")
        await go(at, days=2)
        assert not rung(at)


@pytest.mark.parametrize(
    ("repeats", "first", "again", "days"),
    [
        ("every day at 12:00", {"hours": 2}, "Sunday 22 November 2026", 1),
        ("every other Monday at 12", {"days": 2, "hours": 3}, "Monday 7 December 2026", 14),
    ],
)
async def test_a_repeating_todo_comes_back_done_or_not(
    home: Path, repeats: str, first: dict[str, int], again: str, days: int
):
    async with reminded(home, repeats=repeats) as at:
        await go(at, **first)
        assert len(rung(at)) == 1
        said = await click(at, "ann", "todo_done")
        assert said.endswith(f"Next: {again}, 12:00 (Europe/Berlin).")
        await go(at, days=days / 2)
        assert len(rung(at)) == 1
        await go(at, days=days / 2)
        assert len(rung(at)) == 2
        await go(at, days=2 * days)
        assert len(rung(at)) == 4, "nobody said that it is done, and still it comes back"


async def test_a_todo_that_repeats_three_times_is_done_with_the_last(home: Path):
    async with reminded(home, repeats="every day at 12, 3 times") as at:
        await go(at, hours=3)
        assert "Next: Sunday" in await click(at, "ann", "todo_done")
        await go(at, days=5)
        assert len(rung(at)) == 3
        assert "Next" not in await click(at, "ann", "todo_done")
        assert "call Marie" not in await at.command("ann", "todo")


async def test_a_todo_made_private_rings_for_its_owner_alone(home: Path):
    model = ScriptedModel([unlock(), todo(dueDate="in 2 hours"), say("ok")])
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "remind me", **GENERAL)
        ref = (await at.command("ann", "todo")).split()[1]
        secret = {"action": "update", "todoId": ref, "title": "call Marie about the secret"}
        model.replace(unlock(), call("manage_todos", secret), say("ok"))
        await at.ask("ann", "about the secret")
        await go(at, hours=2)
        assert rung(at)[-1].target.ephemeral_to == "ann"


async def test_missed_while_it_was_off_it_rings_once_at_the_start_and_says_so(home: Path):
    chat = FakeChat()
    async with reminded(home, None, chat, dueDate="in 2 hours"):
        pass
    late = FakeClock(FakeClock().now() + timedelta(days=3))
    async with running_app(home, ScriptedModel([]), chat, late) as at:
        await until(lambda: bool(rung(at)))
        await go(at, days=2)
        (message,) = rung(at)
        assert (
            "It was due Saturday 21 November 2026, 12:00 (Europe/Berlin); I couldn't remind you "
            "then." in message.text
        )


async def test_impossible_repeats_say_what_to_do_instead(home: Path):
    async with app_with_clock(home, model := ScriptedModel()) as at:
        for repeats, problem in (
            ("every now and then", "can't be read"),
            ("* * * * *", "more often than every 15 minutes"),
            ("0 0 30 2 *", "never due"),
        ):
            model.add(unlock(), todo(repeats=repeats), say("ok"))
            await at.ask("ann", "remind me to call Marie")
            assert problem in result_texts(model.requests[-1])[-1]


async def test_the_offline_model_reminds_and_repeats(home: Path):
    with (home / "bellhop.yaml").open("a") as settings:
        settings.write("model: {provider: offline}\n")
    async with app_with_clock(home, None) as at:
        said = await at.ask("ann", "remind me in 2 minutes to stretch")
        assert "**stretch**" in said
        assert "rings Saturday 21 November 2026, 10:02 (Europe/Berlin)" in said
        await go(at, minutes=2)
        assert [message.text for message in rung(at)] == ["Reminder: **stretch**"]
        said = await at.ask("ann", "remind me every Monday at 9 to water the plants")
        assert "every Monday at 9" in said
        assert "rings Monday 23 November 2026, 09:00 (Europe/Berlin)" in said
        await go(at, days=9)
        assert [message.text for message in rung(at)][1:] == ["Reminder: **water the plants**"] * 2


async def test_a_banned_person_is_not_rung(home: Path):
    async with reminded(home, dueDate="in 2 hours") as at:
        await at.change_contacts("Ann, role: Friend", "Ann, role: Banned")
        await go(at, days=1)
        assert not rung(at)


@pytest.mark.thorough
async def test_wherever_the_process_dies_a_reminder_rings_once(home: Path, tmp_path: Path):
    plans = {"make": [unlock(), todo(dueDate="in 1 hour"), say("ok")]}

    async def story(place: Path, point: CrashPoint | None) -> list[str]:
        shutil.copytree(home, place, ignore=shutil.ignore_patterns("data", "homes"))
        lives = AppLives(place)
        model = PlanModel(plans, alive=lives.alive)
        async with lives.life(model) as life:
            await life.tell("ann", "do:make", key="k1")
        commits: list[str] = []
        for end in (point, None):
            async with lives.life(model, end) as life:
                commits = commits or life.database.commits
                await come_due(lives, life)
        assert lives.chat.texts.count(TITLE) == 1, f"{point}: {lives.chat.texts}"
        return commits

    commits = await story(tmp_path / "homes" / "calm", None)
    assert any("schedule_ticks" in name for name in commits)
    for number, point in enumerate(tried(crash_points(commits))):
        await story(tmp_path / "homes" / str(number), point)
