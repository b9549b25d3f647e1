"""The main things that people do, on a home with SQLite and on one with PostgreSQL."""

from pathlib import Path
from typing import Any

import pytest

from bot.automations import store
from bot.domain.chat import Acceptance
from bot.domain.database import Unit
from bot.domain.messages import Addressed, Attachment, Place
from bot.testing.app_lives import AppLives, PersonAct
from bot.testing.automations import BUGS, UNASKED, plant
from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.kept_databases import KeptDatabases, PostgresKept, keep_in
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, calls, say, strict, told, unlock, whole

HOUR_S = 3600.0
ASK = call("ask_user_for_clarification", {"question": "Which?", "options": ["red", "blue"]})
REPLY_STORED = "model:3 done, send:answer started, insert cycle_events, insert usage"
"""The commit before the answer is sent."""
WRITE = call("write_file", {"path": "/documents/plan.md", "content": "forty"})


@pytest.fixture
async def home(databases: KeptDatabases, home: Path) -> Path:
    """The home of every flow test, with its state in one database or the other."""
    kept = await databases.fresh()
    if isinstance(kept, PostgresKept):
        keep_in(home, kept)
    return home


async def test_tools_files_and_memory_of_one_person(home: Path):
    chat = FakeChat()
    chat.files["plan"] = b"budget: 40"
    fact = {"content": "Ann's sister Marie lives in Lyon", "type": "fact", "importance": 0.8}
    model = strict(
        calls(("manage_todos", {"action": "create", "title": "milk"}), ("knowledge_store", fact)),
        say("Kept."),
        unlock("read_file"),
        call("read_file", {"path": "/documents/incoming/plan.txt"}),
        say("Forty."),
        call("remember", {"query": "sisters", "limit": 20}),
        say("In Lyon."),
        call("remember", {"query": "sisters", "limit": 20}),
        say("I don't know."),
    )
    async with running_app(home, model, chat) as house:
        assert await house.ask("ann", "milk; and Marie, my sister, lives in Lyon") == "Kept."
        plan = Attachment("plan", "plan.txt", "text/plain", 10)
        assert await house.ask("ann", "the budget?", attachments=(plan,)) == "Forty."
        assert "budget: 40" in whole(model.requests[4])
        assert await house.ask("ann", "where does she live?") == "In Lyon."
        assert "lives in Lyon" in told(model.requests[6])
        assert await house.ask("ben", "where does she live?") == "I don't know."
        assert "Lyon" not in whole(model.requests[8]), "one person's memory never reaches another"
        (todo,) = await house.rows("SELECT title FROM todos")
        assert todo["title"] == "milk"


async def test_a_question_and_its_answer(home: Path):
    async with running_app(home, strict(ASK, say("Red it is."))) as house:
        assert await house.ask("ann", "paint it") == "Which?"
        assert await house.ask("ann", "red") == "Red it is."


async def test_a_card_and_its_click(home: Path):
    rule = "rules:\n  - {name: look, tools: write_file, decision: ask}\n"
    (home / "policy.yaml").write_text(rule)
    model = strict(unlock("write_file"), WRITE, say("It waits."), say("It is written."))
    async with running_app(home, model) as house:
        await house.chat.say("ann", "keep the plan")
        posts = await house.chat.until(2)
        (ref,) = {choice.ref for post in posts for choice in post.message.choices}
        assert await house.rows("SELECT 1 FROM virtual_files") == []
        await house.chat.click("ann", ref, "approve")
        await answered(house, "It is written.")
        (kept,) = await house.rows("SELECT path FROM virtual_files")
        assert kept["path"] == "/documents/plan.md"


async def answered(house: Harness, text: str) -> None:
    """Wait until this was posted."""
    count = len(house.chat.posts)
    while text not in house.chat.texts:
        await house.chat.until(count := count + 1)


async def test_stop_while_the_model_writes(home: Path):
    model = strict(say("never shown"), say("Still here."))
    model.hold(1)
    async with running_app(home, model) as house:
        await house.chat.say("ann", "go")
        await model.asked(1)
        await house.chat.command("ann", "stop")
        await answered(house, "Stopping.")
        await answered(house, "Stopped.")
        assert await house.ask("ann", "still there?") == "Still here."


async def test_an_agent_is_given_a_part_of_the_work(home: Path):
    agents = home / "prompts" / "agents"
    agents.mkdir(parents=True)
    (agents / "one.md").write_text("---\ndescription: One.\n---\n\nYou are one.\n")
    model = strict(call("agent_one", {"instruction": "look"}), say("Seen."), say("One saw it."))
    async with running_app(home, model) as house:
        assert await house.ask("ann", "go") == "One saw it."
    assert "Seen." in told(model.requests[2])


async def test_a_schedule_comes_due(home: Path):
    clock = FakeClock()
    task = {"name": "report", "prompt": "Say what is open.", "cron": "0 * * * *"}
    model = strict(unlock("schedule_task"), call("schedule_task", task), say("Every hour."))
    async with running_app(home, model, clock=clock) as house:
        assert await house.ask("ann", "every hour, what is open?") == "Every hour."
        model.replace(say("Nothing is open."))
        await clock.advance(HOUR_S)
        await answered(house, "Nothing is open.")


async def test_a_question_that_nobody_answers_expires(home: Path):
    clock = FakeClock()
    async with running_app(home, strict(ASK), clock=clock) as house:
        assert await house.ask("ann", "paint it") == "Which?"
        await house.until_found("SELECT 1 FROM inbox WHERE state = 'waiting'")
        while len(house.chat.posts) < 2:  # who looks for such questions may not sleep yet
            await clock.advance(HOUR_S, step=300)
            await house.rows("SELECT 1")
        posts = house.chat.posts
        assert posts[1].text.startswith("I waited long for your answer and have stopped now.")


def says(text: str, key: str) -> PersonAct:
    return lambda life: life.chat.say("ann", text, key=key)


async def test_the_process_ends_in_the_middle(home: Path):
    todos = calls(
        ("manage_todos", {"action": "create", "title": "milk"}),
        ("save_fact", {"key": "list", "value": "milk"}),
    )
    found = call("tool_search", {"pattern": "manage_t*"})
    lives = AppLives(home)
    point = CrashPoint(1, Moment.AFTER, REPLY_STORED)
    plans = {"todo": [found, todos, say("It is on your list.")]}
    model = PlanModel(plans, alive=lives.alive)
    assert await lives.play(model, [says("do:todo", "k1"), says("more?", "k2")], point)
    assert lives.chat.texts == ["It is on your list.", "Done."]
    async with lives.life(model) as life:
        assert len(await life.database.read("SELECT title FROM todos")) == 1
        assert await life.database.read("SELECT 1 FROM inbox WHERE settled_at IS NULL") == []


async def test_the_first_message_after_an_automation_was_made_starts_it(home: Path):
    """However it is accepted: as a request, an answer, or words to others."""
    model, chat = ScriptedModel([say("Hello."), ASK, say("Again?"), say("Red.")]), FakeChat()
    asked = {**UNASKED, "addressed": Addressed.MENTION}
    async with running_app(home, model, chat, FakeClock()) as house:

        async def events() -> list[str]:
            found = await house.rows("SELECT text FROM automation_events ORDER BY seq")
            return [str(row["text"]).removeprefix("ann (ann) wrote: ") for row in found]

        async def say_in(where: str, text: str, options: dict[str, Any]) -> Acceptance:
            posts = len(chat.posts)
            said = await chat.say("ann", text, **{**options, "where": where})
            if said is not Acceptance.CONTEXT:
                await chat.until(posts + 1)
                await house.until_idle()
            return said

        assert await say_in("heard", "an early bug", UNASKED) is Acceptance.CONTEXT
        assert await say_in("asked", "an early bug", asked) is Acceptance.TURN
        assert await say_in("answered", "an early bug", asked) is Acceptance.TURN
        assert await events() == []
        for where in ("heard", "asked", "answered"):
            made = chat.message("ann", "", where=where, place=Place.CHANNEL)
            text = BUGS.replace("Bug triage", f"Bugs in {where}")
            await plant(house.app, made, "ann", text, watches=made.conversation.channel_key)
        assert await say_in("heard", "a heard bug", UNASKED) is Acceptance.CONTEXT
        assert await say_in("asked", "an asked bug", asked) is Acceptance.TURN
        assert await say_in("answered", "a red bug", UNASKED) is Acceptance.CONTROL
        assert await events() == ["a heard bug", "an asked bug", "a red bug"]
        assert chat.texts[-1] == "Red."
        await house.app.database.write(Unit.of(store.close_channel(made.conversation.channel_key)))
        assert await say_in("answered", "a late bug", UNASKED) is Acceptance.CONTEXT
        assert await say_in("answered", "a later bug", UNASKED) is Acceptance.CONTEXT
        assert len(await events()) == 3


async def test_changes_of_each_kind_are_taken_back(home: Path):
    fact = {"content": "Marie lives in Lyon", "type": "fact", "importance": 0.8}
    note = {"action": "add", "is_agent_note": False, "title": "Lyon"}
    model = strict(
        unlock("knowledge_store", "manage_notes", "manage_todos"),
        calls(
            ("manage_todos", {"action": "create", "title": "call Marie", "dueDate": "tomorrow"}),
            ("manage_notes", note),
            ("knowledge_store", fact),
            ("write_file", {"path": "/documents/plan.md", "content": "forty"}),
        ),
        call("edit_file", {"path": "/documents/plan.md", "old": "forty", "new": "fifty"}),
        say("All kept."),
    )
    async with running_app(home, model) as house:
        await house.ask("ann", "keep all this")
        database = house.app.database
        (todo,) = await database.read("SELECT id FROM todos")
        await house.command("ann", "todo", f"{todo['id']} done")
        said = await house.command("ann", "undo", "all")
        assert said.count("Taken back: ") == 4, said
        assert "Not taken back, because it was changed since: todo added" in said
        for table in ("notes_kept", "knowledge_entries", "virtual_files"):
            assert not await database.read(f"SELECT 1 FROM {table}"), table  # noqa: S608
        assert "nothing to take back" not in await house.command("ann", "undo")
