"""Todos in files and todos that the assistant works on by itself."""

import shutil
from pathlib import Path

import pytest

from bot.domain.messages import Place
from bot.testing.app_lives import AppLives
from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.passing_time import app_with_clock, come_due, go
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say, unlock

PATH = "/todos/call-marie.md"
WAITING = """\
---
title: Call Marie
status: waiting
due: in 5 hours
waiting_for: her number
wake_at: in 2 hours
---
"""


async def test_a_file_rings_and_wakes_and_the_button_shows_in_it(home: Path):
    read = call("read_file", {"path": PATH})
    model = ScriptedModel(
        [
            *(
                call("write_file", {"path": PATH, "content": WAITING}),
                say("Waiting for her number."),
            ),
            *(say("You can call Marie now."), read, say("It is open."), read, say("It is done.")),
        ]
    )
    async with app_with_clock(home, model) as at:
        at.chat.readers.of = {"general": {"ann"}}
        await at.ask("ann", "I wait for Marie's number", where="general", place=Place.CHANNEL)
        await go(at, hours=2)
        assert at.chat.texts[1] == "You can call Marie now."
        await at.ask("ann", "and now?", where="general", place=Place.CHANNEL)
        assert "status: open" in str(model.requests[4].messages)
        assert "waiting_for" not in str(model.requests[4].messages[-1])
        await go(at, hours=3)
        ring = at.chat.posts[-1].message
        assert ring.text == "Reminder: **Call Marie**"
        await at.posts_after(
            at.chat.click(
                "ann", ring.choices[0].ref, "todo_done", at=at.app.clock.now(), where="general"
            )
        )
        await at.ask("ann", "is it done?", where="general", place=Place.CHANNEL)
        assert "status: done" in str(model.requests[-1].messages[-1])


DRAFT = {"action": "create", "title": "draft the report", "assign": True}


def todo(**arguments: object) -> dict[str, object]:
    return {"action": "create", "title": "draft the report", **arguments}


async def test_an_assigned_todo_runs_at_once_and_reports_where_it_was_made(home: Path):
    model = ScriptedModel([call("manage_todos", DRAFT), say("I begin.")], strict=True)
    async with app_with_clock(home, model) as at:
        model.replace(call("manage_todos", DRAFT), say("I begin."), say("Drafted."))
        at.chat.readers.of = {"general": {"ann"}}
        await at.ask("ann", "draft the report yourself", where="general", place=Place.CHANNEL)
        await go(at, minutes=1)
        assert at.chat.posts[-1].text == "Drafted."
        assert (
            at.chat.posts[-1].message.target.conversation
            == at.chat.posts[0].message.target.conversation
        )
        asked = model.requests[-1]
        assert "Work on this todo of ann" in str(asked.messages)
        names = {tool["name"] for tool in asked.tools}
        assert "remember" not in names
        assert "ask_user_for_clarification" not in names
        assert {"tool_search", "send", "read_file", "write_file"} <= names
        await go(at, days=1)
        assert not model.left
        assert len(at.chat.posts) == 2, "one run, not one a day"


async def test_a_waiting_todo_is_open_again_when_it_wakes_and_worked_on(home: Path):
    waits = todo(waitingFor="the figures", wakeAt="in 2 hours")
    model = ScriptedModel([call("manage_todos", waits), say("I wait.")])
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "draft it when the figures are there")
        result = str(model.requests[-1].messages)
        assert "waiting" in result
        assert "12:00 (Europe/Berlin)" in result
        listed, done = call("manage_todos", {"action": "list"}), say("The figures came.")
        model.replace(call("tool_search", {"query": "todos"}), listed, done)
        await go(at, hours=1)
        assert len(at.chat.posts) == 1
        await go(at, hours=1)
        assert at.chat.posts[-1].text == "The figures came."
        assert "It waited for: the figures" in str(model.requests[-1].messages)
        assert '"status": "open"' in str(model.requests[-1].messages).replace("\\", "")


async def test_done_and_reopened_todos_do_not_wake(home: Path):
    model = ScriptedModel([call("manage_todos", todo(wakeAt="in 2 hours")), say("I wait.")])
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "later")
        ref = (await at.command("ann", "todo")).split()[1]
        model.replace(
            call("manage_todos", {"action": "update", "todoId": ref, "wakeAt": ""}), say("Open.")
        )
        await at.ask("ann", "no, now")
        await go(at, hours=3)
        change = {"action": "update", "todoId": ref, "wakeAt": "in 2 hours"}
        model.replace(call("manage_todos", change), say("I wait."))
        await at.ask("ann", "later after all")
        assert "not one of your todos" in await at.command("ann", "todo", "the report done")
        await at.command("ann", "todo", "Draft the Report done")
        await go(at, hours=3)
        assert not model.left
        assert at.chat.posts[-1].text.startswith("Done")


async def test_a_run_of_a_todo_can_wake_it_again_but_not_at_once(home: Path):
    model = ScriptedModel([call("manage_todos", DRAFT), say("I begin.")])
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "draft it")
        ref = (await at.command("ann", "todo")).split()[1]
        again = {"action": "update", "todoId": ref, "assign": True}
        later = {"action": "update", "todoId": ref, "waitingFor": "figures", "wakeAt": "in 1 hour"}
        model.replace(
            unlock("manage_todos"),
            call("manage_todos", again), call("manage_todos", later), say("Not yet."), say("Now."),
        )  # fmt: skip
        await go(at, minutes=1)
        assert "nobody is present, so give a wakeAt" in str(model.requests[-1].messages)
        assert at.chat.posts[-1].text == "Not yet."
        await go(at, hours=1)
        assert at.chat.posts[-1].text == "Now."


async def test_guests_have_nothing_done_alone(home: Path):
    model = ScriptedModel([call("manage_todos", DRAFT), say("ok")])
    async with app_with_clock(home, model) as at:
        await at.ask("stranger", "do it yourself")
        assert "I work alone for" in str(model.requests[-1].messages)
        await go(at, hours=1)
        assert len(at.chat.posts) == 1


async def test_an_owner_without_the_role_is_told_that_nothing_ran(home: Path):
    model = ScriptedModel([call("manage_todos", todo(wakeAt="in 2 hours")), say("I wait.")])
    async with app_with_clock(home, model) as at:
        await at.ask("ann", "later")
        await at.change_contacts("Ann, role: Friend", "Ann, role: Guest")
        asked = len(model.requests)
        await go(at, hours=2)
        assert "“draft the report” was to be worked on now, but I didn't" in at.chat.posts[-1].text
        assert len(model.requests) == asked


async def test_where_the_process_dies_around_its_run_a_todo_is_reported_once(
    home: Path, tmp_path_factory: pytest.TempPathFactory
):
    plans = {"make": [call("manage_todos", todo(wakeAt="in 1 hour")), say("I wait.")]}

    made = AppLives(home)
    async with made.life(PlanModel(plans)) as life:
        await life.tell("ann", "do:make", key="k1")

    async def story(number: int, point: CrashPoint | None) -> list[str]:
        lives = AppLives(shutil.copytree(home, tmp_path_factory.mktemp("home") / str(number)))
        model = PlanModel(plans, otherwise=lambda _request: "Drafted.", alive=lives.alive)
        commits: list[str] = []
        for end in (point, None):
            async with lives.life(model, end) as life:
                commits = commits or life.database.commits
                await come_due(lives, life)
                todos = await life.database.read("SELECT status, wake_at FROM todos")
                assert [(row["status"], row["wake_at"]) for row in todos] == [("open", None)], point
        assert lives.chat.texts.count("Drafted.") == 1, f"{point}: {lives.chat.texts}"
        return commits

    commits = await story(0, None)
    ticked = next(name for name in commits if "insert schedule_ticks" in name)
    woken = next(name for name in commits if "update todos" in name)
    told = next(name for name in commits if name.startswith("send:answer done"))
    points = ((ticked, Moment.AFTER), (woken, Moment.AFTER), (told, Moment.BEFORE))
    for number, (name, moment) in enumerate(points, 1):
        await story(number, CrashPoint(1, moment, name))
