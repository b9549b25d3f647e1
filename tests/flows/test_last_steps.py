"""Messages when steps run out, and what the repeat guard lets through."""

import json
from datetime import timedelta
from pathlib import Path

from bot.clock import format_utc
from bot.domain.database import Unit, Write
from bot.domain.models import ModelReply
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

LAST = (
    "This is the last model call of this run. Call no tool. Answer now: what is done, and what "
    "isn't."
)
FACT = {"key": "a", "value": "1"}


def looks(most: int) -> list[ModelReply]:
    return [call("save_fact", {"key": f"k{number}", "value": "1"}) for number in range(most)]


async def test_the_last_call_is_told_to_answer_now(home: Path):
    scripted = ScriptedModel([*looks(9), say("Nine are done.")], strict=True)
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "go") == "Nine are done."
    told = [LAST in json.dumps(request.messages) for request in scripted.requests]
    assert told == [False] * 9 + [True]


async def test_when_steps_run_out_the_person_reads_what_was_done(home: Path):
    scripted = ScriptedModel(looks(10), strict=True)
    async with running_app(home, scripted) as house:
        answer = await house.ask("ann", "go")
    assert "I used up the steps" in answer
    assert "save_fact" not in answer


async def test_looking_again_after_each_change_is_not_going_in_circles(home: Path):
    titles = [f"todo {number}" for number in range(4)]
    each = [({"action": "create", "title": title}, {"action": "list"}) for title in titles]
    steps = [call("manage_todos", arguments) for both in each for arguments in both]
    scripted = ScriptedModel(
        [call("tool_search", {"pattern": "manage_todos"}), *steps, say("All there.")], strict=True
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "go") == "All there."
    assert "you made this exact call" not in json.dumps(scripted.requests[-1].messages)


async def test_the_same_change_again_and_again_is_still_stopped(home: Path):
    same = [call("manage_todos", {"action": "create", "title": "milk"}) for _ in range(6)]
    scripted = ScriptedModel([call("tool_search", {"pattern": "manage_todos"}), *same], strict=True)
    async with running_app(home, scripted) as house:
        assert "in circles" in await house.ask("ann", "go")


async def test_open_work_is_shown(home: Path):
    done = {
        "answer": "Half of it is there.",
        "status": "partial",
        "follow_up": "Ask Ben for the rest.",
    }
    async with running_app(home, ScriptedModel([call("finish_task", done)], strict=True)) as house:
        assert (
            await house.ask("ann", "go")
            == "Half of it is there.\n\nLeft to do: Ask Ben for the rest."
        )


async def test_a_session_goes_on_as_long_as_its_approval_is_open(home: Path):
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "post.md").write_text(
        "# post\n\n## Description\nPost it.\n\n## Implementation\nshell: post.sh\n\n## "
        "Risk\nexternal-write\n"
    )
    (folder / "post.sh").write_text("echo posted")
    scripted = ScriptedModel(
        [
            call("tool_search", {"pattern": "post"}),
            call("post", {}),
            say("It waits."),
            say("Still the same talk."),
        ],
        strict=True,
    )
    async with running_app(home, scripted) as house:
        await house.ask("ann", "post it")
        await house.chat.until(2)
        await house.until_idle()
        long_ago = format_utc(house.app.clock.now() - timedelta(hours=2))
        await house.app.database.write(
            Unit.of(Write("UPDATE sessions SET last_at = ?", (long_ago,)))
        )
        await house.chat.say("ann", "hello?")
        await house.chat.until(3)
    assert "post it" in json.dumps(scripted.requests[-1].messages)
