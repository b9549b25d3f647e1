"""What a run may use, by what started it."""

import re
from pathlib import Path

from bot.domain.models import ModelRequest
from bot.testing.automations import HERE, house, make, opened, pass_window, write
from bot.testing.harness import Harness
from bot.testing.home_files import write_tool
from bot.testing.passing_time import app_with_clock, go
from bot.testing.scripted_model import ScriptedModel, call, say, unlock

FILES = {"read_file", "write_file", "edit_file", "delete_file", "list_directory"}
WEB = {"web_search", "web_fetch"}
ALONE = {"tool_search", "send", *FILES}
NAMED = {*ALONE, *WEB, "remember", "ask_user_for_clarification"}
NEW_PEOPLE = "---\nname: New people\nevent: new_person\n---\nSay who it is.\n"
EVERYTHING = call("tool_search", {"pattern": "*"})


def furnish(home: Path) -> None:
    """Give the house tools of the web, which it does not ship."""
    for name in WEB:
        write_tool(home, name, "echo found\n", does="Look something up on the web.")


def declared(request: ModelRequest) -> set[str]:
    return {str(tool["name"]) for tool in request.tools} & NAMED


def found(request: ModelRequest) -> set[str]:
    """Which of the named tools a search for all of them gave, or unlocked."""
    given = set(re.findall(r"""name\W+(\w+)""", str(request.messages)))
    assert "manage_todos" in given
    return given & {*WEB, "remember"}


async def run_of(at: Harness, model: ScriptedModel, start: object) -> list[ModelRequest]:
    """The requests of the run; it searches for every tool, and calls `remember`."""
    asked = len(model.requests)
    model.replace(EVERYTHING, call("remember", {"query": "anything"}), say("Looked."))
    await start  # type: ignore[misc]
    assert not model.left
    assert at.chat.texts[-1] == "Looked."
    return model.requests[asked:]


async def test_each_event_gives_exactly_the_tools_of_its_shape(home: Path):
    furnish(home)
    model = ScriptedModel()
    async with house(home, model) as at:
        await make(at, model)
        await opened(at)
        at.chat.readers.of["c1"] = {"ann", "ben"}
        soon = {"name": "look", "prompt": "Look.", "execute_at": "in 1 hour"}
        model.replace(
            unlock("schedule_task"),
            call("schedule_task", soon),
            say("ok"),
        )
        await at.tell("ann", "remind yourself in an hour: look", **HERE)
        scheduled = await run_of(at, model, go(at, hours=1))

        async def bug() -> None:
            await write(at, "ben", "a bug in the parser")
            await pass_window(at)

        async def newcomer() -> None:
            await write(at, "dana", "Hello all")
            await pass_window(at)

        async def assigned() -> None:
            model.replace(
                call("manage_todos", {"action": "create", "title": "look", "assign": True}),
                say("Begun."),
                EVERYTHING,
                call("remember", {"query": "anything"}),
                say("Looked."),
            )
            await at.chat.say("ann", "remind yourself later: look", **HERE)
            await go(at, minutes=1)

        triggered = await run_of(at, model, bug())
        await make(at, model, NEW_PEOPLE, "/automations/triggers/new-people.md")
        new_person = await run_of(at, model, newcomer())
        todo = (await run_of(at, model, assigned()))[-3:]
        chat = await run_of(at, model, at.ask("ann", "look", **HERE))

    for first, searched, refused in (scheduled, triggered, todo):
        assert declared(first) == ALONE
        assert not found(searched)
        assert "there is no tool named" in str(refused.messages[-1])
    assert declared(new_person[0]) == {*ALONE, *WEB}
    assert "there is no tool named" in str(new_person[2].messages[-1])
    assert declared(chat[0]) == {*ALONE, "remember", "ask_user_for_clarification"}
    assert not found(chat[1]) & WEB
    assert "there is no tool named" not in str(chat[2].messages[-1])


BRIEF = {
    "instruction": "Every day at noon: say what is open. Tomorrow at 9 remind Ann of the launch."
}
DAILY = {"name": "open todos", "prompt": "Say what is open.", "cron": "0 12 * * *"}
LAUNCH = {"action": "create", "title": "launch", "dueDate": "tomorrow at 9"}


async def test_it_sets_up_what_the_brief_says_for_the_person_who_asked(home: Path):
    model = ScriptedModel(
        [
            call("agent_scheduler", BRIEF),
            unlock("schedule_task", "manage_todos"),
            call("schedule_task", DAILY),
            call("manage_todos", LAUNCH),
            say("Both are set up."),
            say("Done: both."),
        ],
        strict=True,
    )
    async with app_with_clock(home, model) as at:
        assert await at.ask("ann", "set up both") == "Done: both."
        assert "open todos" in await at.command("ann", "schedule")
        assert "launch" in await at.command("ann", "todo")
        model.replace(say("Nothing is open."))
        await go(at, hours=2)
        assert at.chat.posts[-1].text == "Nothing is open.", (
            "its answer comes where the person asked"
        )


async def test_a_guest_has_no_scheduler(home: Path):
    model = ScriptedModel([call("agent_scheduler", BRIEF), say("no")])
    async with app_with_clock(home, model) as at:
        await at.ask("stranger", "set up both")
        assert "there is no tool named" in str(model.requests[-1].messages)
