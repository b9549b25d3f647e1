"""Reminders between members: allowed by the receiver, sent directly, read by nobody else."""

import shutil
from pathlib import Path

import pytest

from bot.domain.messages import OutgoingMessage, Place, Visibility
from bot.domain.models import ModelReply
from bot.testing.app_lives import AppLives
from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.harness import Harness
from bot.testing.passing_time import app_with_clock, come_due, go
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.waiting import until

HERE = {"where": "general", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}


def remind(member: str = "Ben", when: str = "in 2 hours") -> ModelReply:
    return call("remind_member", {"member": member, "text": "sign the lease", "when": when})


def to_ben(at: Harness) -> list[OutgoingMessage]:
    """What was posted in Ben's own conversation."""
    return [post.message for post in at.chat.posts if "sign the lease" in post.text]


async def click(at: Harness, who: str, message: OutgoingMessage, label: str) -> str:
    button = next(choice for choice in message.choices if choice.label == label)
    before = len(at.chat.posts)
    await at.chat.click(who, button.ref, button.verb, at=at.app.clock.now())
    return (await at.chat.until(before + 1))[before].text


async def test_a_reminder_is_a_dm_that_names_its_setter_and_a_receivers_todo(home: Path):
    model = ScriptedModel([remind(), say("Ben is reminded.")], strict=True)
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "remind Ben in two hours to sign the lease", **HERE)
        assert "by a direct message that names Ann" in str(model.requests[-1].messages)
        assert "not delivered yet" in await at.command("ann", "remindme")
        assert "sign the lease" not in await at.command("ann", "todo")
        assert "sign the lease" in await at.command("ben", "todo"), (
            "nothing waits behind the receiver's back"
        )
        await go(at, hours=2)
        (message,) = to_ben(at)[1:]
        assert message.text == "Reminder from Ann (`ann`): **sign the lease**"
        assert message.target.conversation.place is Place.DM
        assert [choice.label for choice in message.choices] == [
            "Done",
            "Tomorrow",
            "In 1 h",
            "Stop Ann",
        ]
        shown = await at.command("ann", "remindme")
        assert "- Ben, Saturday 21 November 2026, 12:00 (Europe/Berlin): delivered" in shown
        assert "sign the lease" not in shown
        await click(at, "ben", message, "In 1 h")
        await go(at, hours=1)
        assert len(to_ben(at)) == 4, "the receiver's own reply and the next ring"
        await click(at, "ben", to_ben(at)[-1], "Done")
        assert "delivered" in await at.command("ann", "remindme"), "whether it is done is not told"


async def test_a_stop_holds_for_good_and_is_taken_back_by_its_receiver_alone(home: Path):
    model = ScriptedModel([remind(), say("ok")])
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "remind Ben", **HERE)
        await go(at, hours=2)
        assert "can't set reminders for you any more" in await click(
            at, "ben", to_ben(at)[-1], "Stop Ann"
        )
        model.replace(remind(), say("no"))
        await at.ask("ann", "remind Ben again", **HERE)
        assert "Ben doesn't accept reminders from Ann" in str(model.requests[-1].messages)
        assert "You have stopped nobody" in await at.command("ann", "remindme", "again ann")
        assert "`ann` may set" in await at.command("ben", "remindme", "again Ann")
        model.replace(remind(), say("ok"))
        await at.ask("ann", "remind Ben again", **HERE)
        assert "is reminded on" in str(model.requests[-1].messages)


async def test_a_receiver_can_be_asked_first_and_a_no_stays_secret(home: Path):
    model = ScriptedModel([remind(), say("ok")])
    async with app_with_clock(home, model) as at:
        await at.command("ben", "remindme", "ask")
        await at.ask("ann", "remind Ben", **HERE)
        assert "wants to be asked first" in str(model.requests[-1].messages)
        await go(at, minutes=1)
        (asked,) = to_ben(at)
        assert asked.text.startswith(
            "Ann (`ann`) wants me to remind you on Saturday 21 November 2026, 11:00 (UTC)"
        )
        assert (await click(at, "ben", asked, "Yes")).startswith("I remind you on")
        await until(lambda: ["Allowed"] in at.chat.closed.values())
        await go(at, hours=2)
        assert to_ben(at)[-1].text == "Reminder from Ann (`ann`): **sign the lease**"
        model.replace(remind(), say("ok"))
        await at.ask("ann", "remind Ben", **HERE)
        await go(at, minutes=1)
        rung = len(to_ben(at))
        assert await click(at, "ben", to_ben(at)[-1], "No") == "I won't remind you of it."
        await go(at, days=1)
        assert len(to_ben(at)) == rung
        assert ": not delivered\n" in await at.command("ann", "remindme")


async def test_changes_before_the_ring_count(home: Path):
    model = ScriptedModel(
        [remind(), remind("Ben", "in 3 hours"), remind("Ben", "in 5 hours"), say("ok")]
    )
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "remind Ben", **HERE)
        await at.command("ben", "remindme", "off")
        await go(at, hours=2)
        await at.command("ben", "remindme", "default")
        at.chat.absent.add("ben")
        await go(at, hours=1)
        at.chat.absent.clear()
        await at.change_contacts("Ann, role: Friend", "Ann, role: Guest")
        await go(at, hours=2)
        assert not to_ben(at)


async def test_a_place_that_only_the_setter_is_in_gives_no_way_to_others(home: Path):
    where = {"where": "secret", "place": Place.CHANNEL, "visibility": Visibility.PRIVATE}
    model = ScriptedModel([remind(), say("no")])
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "remind Ben", **where)
        assert "I can't tell whether Ben is in this place" in str(model.requests[-1].messages)
        await at.command("ben", "remindme", "on")
        model.replace(remind(), say("ok"))
        await at.ask("ann", "remind Ben", **where)
        assert "is reminded on" in str(model.requests[-1].messages), (
            "who allows it from anywhere is reached"
        )


async def test_guests_remind_nobody_and_there_are_limits(home: Path):
    model = ScriptedModel([remind(), say("no")])
    async with app_with_clock(home, model) as at:
        await at.ask("stranger", "remind Ben", **HERE)
        assert "there is no tool named" in str(model.requests[-1].messages)
        model.replace(
            remind("ann"), *(remind("Ben", f"in {hours} hours") for hours in range(1, 7)), say("ok")
        )
        await at.ask("ann", "remind Ben and Ann", **HERE)
        asked = str(model.requests[-1].messages)
        assert "that is the person themself" in asked
        assert "has 5 reminders of Ann ahead" in asked


async def test_where_the_process_dies_around_a_ring_it_is_told_once(
    home: Path, tmp_path_factory: pytest.TempPathFactory
):
    plans = {"make": [remind(when="in 1 hour"), say("ok")]}

    made = AppLives(home)
    async with made.life(PlanModel(plans)) as life:
        await life.tell("ann", "Remind Ben to sign the lease. do:make", key="k1", **HERE)

    async def story(number: int, point: CrashPoint | None) -> list[str]:
        lives = AppLives(shutil.copytree(home, tmp_path_factory.mktemp("home") / str(number)))
        model = PlanModel(plans, alive=lives.alive)
        commits: list[str] = []
        for end in (point, None):
            async with lives.life(model, end) as life:
                commits = commits or life.database.commits
                await come_due(lives, life)
                states = await life.database.read("SELECT state FROM member_reminders")
                assert [row["state"] for row in states] == ["delivered"], point
        assert lives.chat.texts.count("Reminder from Ann (`ann`): **sign the lease**") == 1, (
            f"{point}: {lives.chat.texts}"
        )
        return commits

    commits = await story(0, None)
    ticked = next(name for name in commits if "insert schedule_ticks" in name)
    sent = next(name for name in commits if name.startswith("send:answer done"))
    told = next(name for name in commits if "update member_reminders" in name)
    points = ((ticked, Moment.AFTER), (sent, Moment.BEFORE), (told, Moment.BEFORE))
    for number, (name, moment) in enumerate(points, 1):
        await story(number, CrashPoint(1, moment, name))
