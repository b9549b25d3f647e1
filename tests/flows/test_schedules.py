"""Requests for later: made, run with nobody there, reported where made, once."""

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.messages import Addressed, Place, Visibility
from bot.domain.models import ModelReply
from bot.errors import ModelError, ModelTrouble
from bot.testing.app_lives import AppLives
from bot.testing.automations import asked_for
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.harness import Harness, running_app
from bot.testing.passing_time import app_with_clock, go
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, result_texts, say
from bot.testing.waiting import until
from tests.thoroughness import tried

ALOUD = {"place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
HOURLY = {"name": "hourly report", "prompt": "Say what is open.", "cron": "0 * * * *"}


def unlock() -> ModelReply:
    return call("get_capabilities", {"names": ["schedule_task"]})


@asynccontextmanager
async def scheduled(
    home: Path, model: ScriptedModel, who: str = "ann", **differs: Any
) -> AsyncGenerator[Harness]:
    """Somebody asked for a task like the hourly report; the clock is moved by `go` alone."""
    model.add(unlock(), call("schedule_task", {**HOURLY, **differs}), say("ok"))
    async with app_with_clock(home, model) as at:
        await at.ask(who, "hourly please")
        yield at


async def shown(at: Harness, args: str = "") -> str:
    return await at.command("ann", "schedule", args)


async def reference(at: Harness) -> str:
    return (await shown(at)).split()[1]


async def test_a_task_runs_when_it_is_due_and_its_answer_comes_where_it_was_made(home: Path):
    model = ScriptedModel(
        [unlock(), call("schedule_task", HOURLY), say("I will, every hour.")], strict=True
    )
    async with app_with_clock(home, model) as at:
        assert await at.ask("ann", "every hour tell me what is open") == "I will, every hour."
        result = asked_for(model.requests[-1])
        assert "next: Saturday 21 November 2026, 11:00 (Europe/Berlin)" in result
        model.replace(say("Nothing is open."))
        await go(at, hours=1)
        assert at.chat.texts[-1] == "Nothing is open."
        assert (
            at.chat.posts[-1].message.target.conversation
            == at.chat.posts[0].message.target.conversation
        )
        run = model.requests[-1]
        assert "Say what is open." in asked_for(run)
        assert "every hour tell me" not in asked_for(run), "a run sees nothing of the conversation"
        assert "Nobody is there" in str(run.system)
        names = {tool["name"] for tool in run.tools}
        assert "remember" not in names
        shown = await at.command("ann", "schedule")
        assert "hourly report: every hour (Europe/Berlin)" in shown
        ref = shown.split()[1]
        assert "11:00: done, began on time, answer posted" in await at.command(
            "ann", "schedule", f"show {ref}"
        )
        assert "does: Say what is open." in await at.command(
            "ann", "schedule", "show Hourly Report"
        )


async def test_a_task_can_be_repeated_in_words(home: Path):
    monthly = "on the last day of each month at 18:00"
    async with scheduled(home, model := ScriptedModel(), cron=monthly):
        result = asked_for(model.requests[-1])
        assert "when: every month on the last day at 18:00 (Europe/Berlin)" in result
        assert "next: Monday 30 November 2026, 18:00 (Europe/Berlin)" in result


async def test_once_means_once_also_when_bellhop_was_away(home: Path):
    once = {"name": "check", "prompt": "Check the page.", "execute_at": "in 2 hours"}
    chat = FakeChat()
    async with app_with_clock(
        home, ScriptedModel([unlock(), call("schedule_task", once), say("ok")]), chat
    ) as at:
        await at.ask("ann", "check the page in two hours")
    late = FakeClock(FakeClock().now() + timedelta(days=3))
    model = ScriptedModel([say("The page is fine.")])
    async with running_app(home, model, chat, late) as at:
        await until(lambda: chat.posts[-1].text == "The page is fine.")
        await go(at, days=2)
        assert len(model.requests) == 1
        assert await at.command("ann", "schedule") == "Nothing is scheduled."


async def test_a_task_that_ends_runs_so_often_and_is_over(home: Path):
    async with scheduled(home, model := ScriptedModel(), cron="every day at 9, 2 times") as at:
        assert "every day at 09:00 until 2026-11-23" in await shown(at)
        ref = await reference(at)
        model.add(say("1"), say("2"))
        await go(at, days=5)
        assert at.chat.texts[-2:] == ["1", "2"]
        assert not model.left
        assert "is over" in await shown(at, f"resume {ref}")


async def test_a_changed_task_keeps_its_id_and_its_place(home: Path):
    model = ScriptedModel([unlock(), call("schedule_task", HOURLY), say("ok")], strict=True)
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "hourly please", where="there")
        made_in = at.chat.posts[0].message.target.conversation
        ((ref,),) = [row.values() for row in await at.rows("SELECT ref FROM scheduled_tasks")]
        change = {"action": "update", "id": ref}
        model.add(unlock(), call("schedule_task", change), say("What is new?"))
        await at.ask("ann", "change it")
        assert "give what is new" in asked_for(model.requests[-1])
        new = {"cron": "every first Monday of the month at 10", "prompt": "Say what was closed."}
        model.add(call("schedule_task", {**change, **new}), say("Changed."))
        await at.ask("ann", "first Mondays, and say what was closed")
        result = asked_for(model.requests[-1])
        assert f"hourly report ({ref})" in result
        assert "next: Monday 7 December 2026, 10:00 (Europe/Berlin)" in result
        model.add(say("Three are closed."))
        await go(at, days=17)
        assert "Say what was closed." in asked_for(model.requests[-1])
        assert at.chat.texts[-1] == "Three are closed."
        assert at.chat.posts[-1].message.target.conversation == made_in


async def test_a_changed_task_keeps_its_zone_and_takes_another_budget(home: Path):
    async with scheduled(home, model := ScriptedModel(), timezone="America/New_York") as at:
        change = {"action": "update", "id": await reference(at)}
        model.add(call("schedule_task", {**change, "cron": "30 8 * * mon"}), say("Changed."))
        await at.ask("ann", "Mondays at 8:30")
        assert "every Monday at 08:30 (America/New_York)" in asked_for(model.requests[-1])
        model.add(call("schedule_task", {**change, "budget": 7}), say("Changed."))
        await at.ask("ann", "with seven calls a month")
        rows = await at.rows("SELECT budget_calls FROM scheduled_tasks")
        assert [row["budget_calls"] for row in rows] == [7]


async def test_nobody_else_changes_what_runs_with_the_accounts_of_its_owner(home: Path):
    made = [unlock(), call("schedule_task", HOURLY), say("ok")]
    async with app_with_clock(home, model := ScriptedModel(made, strict=True)) as at:
        await at.ask("ann", "hourly please", where="office", **ALOUD)
        ((ref,),) = [row.values() for row in await at.rows("SELECT ref FROM scheduled_tasks")]
        change = {"action": "update", "id": ref, "prompt": "Post my latest mails."}
        model.add(unlock(), call("schedule_task", change), say("No."))
        await at.ask("owner", "let it post mails", where="office", **ALOUD)
        assert "only its owner changes a schedule" in asked_for(model.requests[-1])
        ((prompt,),) = [row.values() for row in await at.rows("SELECT prompt FROM scheduled_tasks")]
        assert prompt == HOURLY["prompt"]


async def test_words_from_a_private_place_do_not_go_to_a_channel(home: Path):
    made = [unlock(), call("schedule_task", HOURLY), say("ok")]
    async with app_with_clock(home, model := ScriptedModel(made, strict=True)) as at:
        await at.ask("ann", "hourly please", where="office", **ALOUD)
        ((ref,),) = [row.values() for row in await at.rows("SELECT ref FROM scheduled_tasks")]
        change = {"action": "update", "id": ref}
        for new in ({"prompt": "Say that I am ill."}, {"name": "ill"}):
            model.add(*([unlock()] if "prompt" in new else []))
            model.add(call("schedule_task", {**change, **new}), say("Not here."))
            await at.ask("ann", "change it")
            assert "this place is more private" in asked_for(model.requests[-1])
        model.add(call("schedule_task", {**change, "cron": "0 9 * * *"}), say("Changed."))
        await at.ask("ann", "daily at 9")
        assert "every day at 09:00" in asked_for(model.requests[-1])
        ((prompt,),) = [row.values() for row in await at.rows("SELECT prompt FROM scheduled_tasks")]
        assert prompt == HOURLY["prompt"]


async def test_a_person_sees_and_changes_only_their_own(home: Path):
    async with scheduled(home, model := ScriptedModel()) as at:
        ref = await reference(at)
        assert await at.command("ben", "schedule") == "Nothing is scheduled."
        assert "no schedule" in await at.command("ben", "schedule", f"cancel {ref}")
        assert "is paused" in await shown(at, f"pause {ref}")
        await go(at, hours=3)
        assert len(model.requests) == 3
        model.add(unlock(), call("schedule_task", {**HOURLY, "name": "Hourly report"}), say("ok"))
        await at.ask("ann", "hourly here, too", where="office", **ALOUD)
        aloud = await at.command("ann", "schedule", "pause hourly report", where="office", **ALOUD)
        assert "is paused" in aloud
        assert "goes on" in await at.command("owner", "schedule", f"resume {ref}")
        model.replace(say("There."))
        await go(at, hours=1)
        assert at.chat.texts[-1] == "There."
        model.replace(say("Once more."))
        assert "runs now" in await shown(at, f"run {ref}")
        await until(lambda: at.chat.texts[-1] == "Once more.")
        assert "is cancelled" in await shown(at, f"cancel {ref}")
        await go(at, days=1)
        assert not model.left


async def test_the_role_of_the_moment_counts(home: Path):
    async with scheduled(home, model := ScriptedModel()) as at:
        await at.change_contacts("Ann, role: Friend", "Ann, role: Guest")
        await go(at, hours=1)
        assert "I paused the schedule “hourly report”" in at.chat.texts[-1]
        assert "(Guest) may not have anything scheduled there" in at.chat.texts[-1]
        assert len(model.requests) == 3, "nothing was run"
        await go(at, hours=5)
        assert sum("I paused" in text for text in at.chat.texts) == 1


async def test_roles_of_a_platform_are_asked_for_at_fire_time(home: Path):
    with (home / "bellhop.yaml").open("a") as settings:
        settings.write("access: {roles: {discord: {'77': Friend}}}\n")
    model = ScriptedModel([unlock(), call("schedule_task", HOURLY), say("ok")])
    async with app_with_clock(home, model) as at:
        at.chat.roles["cleo"] = ("77",)
        await at.ask("cleo", "hourly please")
        model.replace(say("With the role."))
        await go(at, hours=1)
        assert at.chat.texts[-1] == "With the role."
        at.chat.unreachable = True
        await go(at, hours=1)
        assert "I left out hourly report" in at.chat.texts[-1]
        at.chat.unreachable = False
        model.replace(say("Back again."))
        await go(at, hours=1)
        assert at.chat.texts[-1] == "Back again.", "what the platform didn't tell pauses nothing"
        del at.chat.roles["cleo"]
        await go(at, hours=1)
        assert "I paused the schedule “hourly report”" in at.chat.texts[-1]
        assert not model.left


async def test_a_used_up_monthly_budget_stops_a_schedule_and_is_told_once(home: Path):
    async with scheduled(home, model := ScriptedModel(), budget=3) as at:
        ref = await reference(at)
        model.replace(call("tool_search", {"pattern": "*_time"}), say("First."), say("Second."))
        await go(at, hours=1)
        used = "used this month: 2 model calls of 3 model calls\n"
        assert used in await shown(at, f"show {ref}")
        await go(at, hours=1)
        assert at.chat.texts[-2:] == [
            "Second.",
            f"hourly report ({ref}): this month's budget of 3 model calls for this schedule is "
            "used up; it goes on next month.",
        ]
        said = len(at.chat.posts)
        await go(at, hours=5)
        assert len(at.chat.posts) == said
        assert "skipped, this month's budget of 3" in await shown(at, f"show {ref}")
        model.replace(*(call("tool_search", {"pattern": f"*_{n}"}) for n in range(3)))
        clock = at.app.clock
        assert isinstance(clock, FakeClock)
        clock.jump(10 * 86_400)  # into December
        await go(at, hours=1)
        assert "I stopped: this month's budget of 3 model calls" in at.chat.texts[-1]
        assert not model.left


async def test_three_failures_in_a_row_pause_it_and_its_owner_reads_why(home: Path):
    async with scheduled(home, model := ScriptedModel()) as at:
        broken = ModelError(ModelTrouble("bad_request", "no such model"))
        model.replace(*[broken] * 9)
        await go(at, hours=2)
        model.replace(*[broken] * 9)
        await go(at, hours=1)
        told = at.chat.texts[-1]
        assert "I paused the schedule “hourly report”" in told
        assert "failed 3 times in a row" in told
        assert any(text.startswith("hourly report (") for text in at.chat.texts), (
            "each failure names its schedule"
        )
        asked = len(model.requests)
        await go(at, hours=5)
        assert len(model.requests) == asked


async def test_ticks_during_a_run_are_folded(home: Path):
    with (home / "bellhop.yaml").open("a") as settings:
        settings.write("turns: {minutes: 600}\n")
    async with scheduled(home, model := ScriptedModel()) as at:
        model.replace(say("First."), say("Later."))
        held = model.hold(4)
        clock = at.app.clock
        assert isinstance(clock, FakeClock)
        await clock.advance(3600)
        await model.asked(4)
        await clock.advance(3600)
        await settle()
        held.set()
        await at.until_idle()
        await until(lambda: at.chat.texts[-1] == "First.")
        told = await shown(at, f"show {await reference(at)}")
        assert "12:00: folded, the run before was still at work" in told
        assert "11:00: done" in told


IMPOSSIBLE: tuple[tuple[dict[str, str], str], ...] = (
    ({}, "exactly one of cron"),
    ({"cron": "0 * * * *", "execute_at": "tomorrow at 9"}, "exactly one of cron"),
    ({"cron": "now and then"}, "five fields"),
    ({"cron": "* * * * *"}, "more often than every 15 minutes"),
    ({"cron": "0 0 30 2 *"}, "never due"),
    ({"execute_at": "tomorrow"}, "execute_at: 'tomorrow' is"),
    ({"execute_at": "yesterday at 9"}, "lies in the past"),
    ({"execute_at": "at 9"}, "this evening or tomorrow morning"),
    ({"execute_at": "tomorrow at 9", "timezone": "Mars"}, "not a time zone"),
    ({"name": "", "cron": "0 * * * *"}, "needs a name"),
    ({"prompt": "y" * 4001, "cron": "0 * * * *"}, "shorten it"),
    ({"action": "pause"}, "give the id"),
    ({"action": "cancel", "id": "nope"}, "no schedule 'nope'"),
    ({"action": "update", "id": "nope"}, "no schedule 'nope'"),
)


async def test_impossible_schedules_say_what_to_do_instead(home: Path):
    async with app_with_clock(home, model := ScriptedModel()) as at:
        for differs, problem in IMPOSSIBLE:
            given = {"name": "x", "prompt": "y", **differs}
            model.replace(unlock(), call("schedule_task", given), say("ok"))
            await at.ask("ann", "do it")
            (*_, told) = result_texts(model.requests[-1])
            assert problem in told, differs
        assert await at.command("ann", "schedule") == "Nothing is scheduled."


async def test_a_guest_has_nothing_scheduled(home: Path):
    async with scheduled(home, model := ScriptedModel(), who="stranger"):
        assert "there is no tool named" in asked_for(model.requests[-1])


async def test_a_guest_writes_no_file_of_a_schedule_either(home: Path):
    file = "---\nname: a\ncron: 0 9 * * *\n---\nSay hi.\n"
    path = "/automations/schedules/a.md"
    model = ScriptedModel([call("write_file", {"path": path, "content": file}), say("no")])
    async with running_app(home, model) as at:
        assert await at.ask("stranger", "every day, please") == "no"
        assert "there is no tool named 'schedule_task' here" in asked_for(model.requests[-1])
        assert at.chat.cards == []


@pytest.mark.parametrize(
    ("when", "told"),
    [
        ("at: tomorrow", "a.md, line 3: at: 'tomorrow' is "),
        ("cron: '* * * * *'", "a.md, line 3: cron: '* * * * *' is due more often than every"),
        ("cron: sometimes", "a.md, line 3: cron: 'sometimes' is not a cron expression"),
        ("cron: every other tuesday at 9", "It is on from now; next Tuesday "),
    ],
)
async def test_an_error_about_a_file_names_its_line_and_field(home: Path, when: str, told: str):
    file = f"---\nname: a\n{when}\n---\nSay hi.\n"
    path = "/automations/schedules/a.md"
    model = ScriptedModel([call("write_file", {"path": path, "content": file}), say("When?")])
    async with running_app(home, model) as at:
        await at.tell("ann", "say hi tomorrow")
        for card in at.cards:
            await at.order("ann", "approve", card.choices[0].ref)
    assert told in asked_for(model.requests[-1])


async def test_the_card_of_a_renamed_task_has_both_names(home: Path):
    room: dict[str, Any] = {"where": "room", "place": Place.CHANNEL}
    made = [unlock(), call("schedule_task", HOURLY), say("ok")]
    async with app_with_clock(home, model := ScriptedModel(made)) as at:
        await at.ask("ann", "hourly please", **room)
        await at.chat.say("stranger", "Buy my pills", addressed=Addressed.NONE, **room)
        change = {"action": "update", "id": await reference(at), "name": "pills"}
        model.add(call("schedule_task", change), say("It waits."))
        await at.ask("ann", "rename it", **room)
        (card,) = at.cards
    assert "change the schedule “hourly report” → “pills”: “" in card.text


@pytest.mark.thorough
async def test_wherever_the_process_dies_a_due_task_is_answered_once(home: Path, tmp_path: Path):
    plans = {
        "make": [
            unlock(),
            call(
                "schedule_task", {"name": "once", "prompt": "do:report", "execute_at": "in 1 hour"}
            ),
            say("ok"),
        ],
        "report": [call("manage_todos", {"action": "create", "title": "look"}), say("Reported.")],
    }

    async def story(place: Path, point: CrashPoint | None) -> list[str]:
        shutil.copytree(home, place, ignore=shutil.ignore_patterns("data", "homes"))
        lives = AppLives(place)
        model = PlanModel(plans, alive=lives.alive)
        async with lives.life(model) as life:
            await life.tell("ann", "do:make", key="k1")
        commits: list[str] = []
        for end in (point, None):
            async with lives.life(model, end) as life:
                if not commits:
                    commits = life.database.commits
                due = 3600 - lives.clock.monotonic()
                await lives.clock.advance(max(0, due))
                await life.settle()
                while not await life.database.read(
                    "SELECT 1 FROM schedule_ticks WHERE ended_at IS NOT NULL"
                ):
                    await settle()
            model.restarted()
        assert lives.chat.texts.count("Reported.") == 1, f"{point}: {lives.chat.texts}"
        return commits

    commits = await story(tmp_path / "homes" / "calm", None)
    assert any("schedule_ticks" in name for name in commits)
    for number, point in enumerate(tried(crash_points(commits))):
        await story(tmp_path / "homes" / str(number), point)


async def test_a_person_who_wrote_is_never_answered_with_silence(home: Path):
    silent = call("finish_task", {"answer": "Nothing.", "status": "silent"})
    model = ScriptedModel([silent, say("Nothing is open.")], strict=True)
    async with app_with_clock(home, model) as at:
        assert await at.ask("ann", "anything open?") == "Nothing is open."
        assert "somebody waits for this answer" in asked_for(model.requests[-1])
