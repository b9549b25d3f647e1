"""What a run may use, by what started it: each shape is started by its real event, in one app."""

import re
from pathlib import Path

from bot.domain.models import ModelRequest
from bot.testing.automations import HERE, house, make, opened, pass_window, write
from bot.testing.harness import Harness
from bot.testing.passing_time import go
from bot.testing.scripted_model import ScriptedModel, call, say

FILES = {"read_file", "write_file", "edit_file", "delete_file", "list_directory"}
WEB = {"web_search", "web_fetch"}
ALONE = {"tool_search", "send", *FILES}
NAMED = {*ALONE, *WEB, "remember", "ask_user_for_clarification"}
NEW_PEOPLE = "---\nname: New people\nevent: new_person\n---\nSay who it is.\n"
TOOL = (
    "# {name}\n\n## Description\nLook something up on the web.\n\n## Implementation\nshell: "
    "look.sh\n"
)
EVERYTHING = call("tool_search", {"pattern": "*"})


def furnish(home: Path) -> None:
    """Give the house tools of the web, which it does not ship."""
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "look.sh").write_text("echo found\n")
    for name in WEB:
        (folder / f"{name}.md").write_text(TOOL.format(name=name))


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
            call("get_capabilities", {"names": ["schedule_task"]}),
            call("schedule_task", soon),
            say("ok"),
        )
        await at.chat.say("ann", "remind yourself in an hour: look", **HERE)
        await at.until_idle()
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
