"""Stopping at every place where a run can be, and taking what people write meanwhile."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.chat import Acceptance
from bot.domain.database import Unit, Write
from bot.domain.messages import Place
from bot.domain.models import DeltaText, ModelDelta, ModelReply, ModelRequest
from bot.testing.app_lives import AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.harness import running_app
from bot.testing.home_files import write_agent, write_tool
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, calls, say, strict, whole
from bot.testing.waiting import runs, until
from tests.thoroughness import tried

FACTS = calls(("save_fact", {"key": "a", "value": "1"}), ("save_fact", {"key": "b", "value": "2"}))


def slow_tool(home: Path, risk: str = "") -> Path:
    """A script that never ends and starts another; returns the file with both process ids."""
    pids = home / "pids.txt"
    keeps = f'echo "$$ $!" > "{pids}.new" && mv "{pids}.new" "{pids}"'
    write_tool(home, "slow", f"sleep 600 & {keeps}; wait", risk=risk)
    return pids


BOTH = calls(("agent_one", {"instruction": "look"}), ("agent_two", {"instruction": "look"}))


@pytest.mark.parametrize(
    ("before", "at_work"),
    [
        pytest.param([], 1, id="while the model writes"),
        pytest.param([call("agent_one", {"instruction": "look"})], 1, id="in a delegated agent"),
        pytest.param(
            [call("tool_search", {"pattern": "agent_*"}), BOTH], 2, id="in two agents at once"
        ),
    ],
)
async def test_stop_ends_what_runs(before: list[ModelReply], at_work: int, home: Path):
    write_agent(home, "one")
    write_agent(home, "two")
    scripted = strict(*before, *[say("never shown")] * at_work, say("Still here."))
    begun = len(before) + at_work
    for number in range(len(before), begun):
        scripted.hold(number + 1)
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "go")
        await scripted.asked(begun)
        await house.order("ann", "stop")
        assert sorted(house.chat.texts) == ["Stopped.", "Stopping."]
        assert await house.ask("ann", "still there?") == "Still here."
    if not before:
        assert "(stopped by the person)" in whole(scripted.requests[1])


async def test_a_stop_tells_what_was_changed_in_the_persons_language(home: Path):
    made = calls(
        ("manage_todos", {"action": "create", "title": "Milch kaufen"}),
        ("list_directory", {"path": "/documents"}),
        ("write_file", {"path": "/documents/plan.md", "content": "Der Plan"}),
    )
    scripted = strict(made, say("never shown"))
    scripted.hold(2)
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "Schreib Milch auf die Liste und mach mir einen Plan")
        await scripted.asked(2)
        await house.order("ann", "stop")
    assert (
        "Angehalten. Bis dahin erledigt: Aufgabe „Milch kaufen“ hinzugefügt; "
        "Datei `/documents/plan.md` hinzugefügt."
    ) in house.chat.texts


async def test_stop_ends_a_script_with_everything_it_started(home: Path):
    pids = slow_tool(home)
    search = calls(("tool_search", {"pattern": "slow"}))
    scripted = strict(
        search, calls(("save_fact", {"key": "a", "value": "1"}), ("slow", {})), say("Still here.")
    )
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "go")
        await until(pids.exists)
        await house.order("ann", "stop")
        await until(lambda: not any(runs(int(pid)) for pid in pids.read_text().split()))
        assert (
            "Stopped. One step was cut off; whether it took effect is unknown." in house.chat.texts
        )
        await house.until_idle()
        assert await house.ask("ann", "still there?") == "Still here."
    after = whole(scripted.requests[2])
    assert "saved for this session: a" in after
    assert "ERROR: was stopped; whether it took effect is unknown" in after


async def test_a_tool_that_was_found_before_the_stop_is_known_after_it(home: Path):
    pids = slow_tool(home)
    scripted = strict(
        call("tool_search", {"pattern": "slow"}),
        calls(("tool_search", {"pattern": "current_time"}), ("slow", {})),
        call("current_time"),
        say("Nothing to do."),
    )
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "go")
        await until(pids.exists)
        await house.order("ann", "stop")
        assert await house.ask("ann", "list my todos") == "Nothing to do."
    additions = [
        block["tool"]["definition"]["name"]
        for message in scripted.requests[2].messages
        for block in message["content"]
        if block["type"] == "tool_addition"
    ]
    assert additions == ["slow", "current_time"]
    assert "is_error" not in json.dumps(scripted.requests[3].messages[-1])


async def test_stop_drops_an_open_question(home: Path):
    scripted = strict(
        call("ask_user_for_clarification", {"question": "Which?"}), say("A new thing.")
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "paint it") == "Which?"
        await house.order("ann", "stop")
        assert sorted(house.chat.texts[1:]) == ["Stopped.", "Stopping."]
        assert await house.ask("ann", "blue") == "A new thing."
    assert "not run: the person stopped the turn" in whole(scripted.requests[1])


async def test_stop_reaches_an_approved_script(home: Path):
    pids = slow_tool(home, risk="external-write")
    scripted = strict(
        call("tool_search", {"pattern": "slow"}),
        call("slow", {}),
        say("It waits."),
        say("Still here."),
    )
    async with running_app(home, scripted) as house:
        await house.ask("ann", "go")
        await house.chat.until(2)
        await house.until_idle()
        await house.chat.click("ann", house.chat.posts[1].message.choices[0].ref, "approve")
        await until(pids.exists)
        await house.order("ann", "stop")
        await until(lambda: not any(runs(int(pid)) for pid in pids.read_text().split()))
        await house.until_idle()
        assert any(text.startswith("Stopped.") for text in house.chat.texts)
        assert await house.ask("ann", "still there?") == "Still here."
    assert "may have taken effect in part" in whole(scripted.requests[3])


async def test_nobody_stops_the_run_of_somebody_else(home: Path):
    scripted = strict(say("For Ann."))
    hold = scripted.hold(1)
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "go", where="room", place=Place.CHANNEL)
        await scripted.asked(1)
        answer = await house.chat.command("ben", "stop", where="room", place=Place.CHANNEL)
        assert answer is Acceptance.CONTROL
        await house.chat.until(1)
        assert house.chat.texts == ["Nothing is running or waiting here."]
        hold.set()
        await house.chat.until(2)
        assert house.chat.texts[1] == "For Ann."


async def test_new_while_a_run_works_ends_it_and_starts_blank(home: Path):
    scripted = strict(say("never shown"), say("Hello."))
    scripted.hold(1)
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "remember pumpkin")
        await scripted.asked(1)
        await house.order("ann", "new")
        assert sorted(house.chat.texts) == [
            "Started afresh.",
            "Stopped.",
        ]
        assert await house.ask("ann", "hi") == "Hello."
    assert "pumpkin" not in whole(scripted.requests[1])
    assert "Stopped" not in whole(scripted.requests[1])


async def test_words_before_a_sequential_call_skip_it_and_follow_the_results(home: Path):
    scripted = strict(FACTS, say("Both."))
    hold = scripted.hold(1)
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "first")
        await scripted.asked(1)
        await house.chat.say("ann", "second")
        await house.chat.say("ann", "third")
        hold.set()
        await house.chat.until(1)
        await house.until_idle()
        assert house.chat.texts == ["Both."]
    assert "skipped: the person wrote something new" in whole(scripted.requests[1])
    kinds = [block["type"] for block in scripted.requests[1].messages[-1]["content"]]
    assert kinds == ["tool_result", "tool_result", "text", "text"]
    assert [block["text"] for block in scripted.requests[1].messages[-1]["content"][2:]] == [
        "second",
        "third",
    ]


@pytest.mark.parametrize("ends", ["answer", "send", "ask"])
async def test_what_is_said_names_the_messages_that_joined(ends: str, home: Path):
    """So a terminal that waits for one answer knows which it is."""
    shown = {
        "answer": [say("Both.")],
        "send": [call("send", {"text": "Both."}), say("Both.")],
        "ask": [call("ask_user_for_clarification", {"question": "Both?"})],
    }
    scripted = strict(FACTS, *shown[ends])
    hold = scripted.hold(1)
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "first")
        await scripted.asked(1)
        second = house.chat.message("ann", "second")
        await house.chat.deliver(
            replace(second, reply_to=replace(second.reply_to, message="second"))
        )
        hold.set()
        await house.chat.until(1)
        await house.until_idle()
        assert [post.message.covers for post in house.chat.posts] == [("second",)]


async def test_two_people_write_in_one_channel_and_each_gets_an_own_answer(home: Path):
    model = PlanModel({"a": [FACTS, say("For Ann.")], "b": [FACTS, say("For Ben.")]})
    async with running_app(home, model) as house:
        await asyncio.gather(
            house.chat.say("ann", "do:a", where="room", place=Place.CHANNEL),
            house.chat.say("ben", "do:b", where="room", place=Place.CHANNEL),
        )
        await house.chat.until(2)
        await house.until_idle()
        assert sorted(house.chat.texts) == ["For Ann.", "For Ben."]


class Stuck(PlanModel):
    """A model that never answers."""

    def __init__(self) -> None:
        super().__init__({})
        self.asked = asyncio.Event()

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        self.asked.set()
        await asyncio.Event().wait()
        return await super().sample(request, on_delta)


async def stop_and_go_on(home: Path, point: CrashPoint | None) -> tuple[list[str], list[str], int]:
    """The final view, the first life's writes, and the number of writes before the stop."""
    lives, model, before = AppLives(home), Stuck(), 0
    async with lives.life(model, point) as life:
        await life.chat.say("ann", "go", key="k1")
        await model.asked.wait()
        before = life.database.writes
        await life.order("ann", "stop", key="k2")
    commits = lives.commits
    assert life.database.gone is (point is not None), point
    if point:
        async with lives.life(Stuck()) as life:
            await life.order("ann", "stop", key="k2")
    return sorted(lives.chat.texts), commits, before


@pytest.mark.thorough
async def test_a_stop_holds_whenever_the_process_goes(
    home: Path, tmp_path_factory: pytest.TempPathFactory
):
    stopped = ["Stopped.", "Stopping."]
    texts, commits, before = await stop_and_go_on(home, None)
    assert texts == stopped
    assert before < len(commits)
    folder = tmp_path_factory.mktemp("lives")
    points = list(crash_points(commits))[2 * before :]
    for number, point in enumerate(tried(points)):
        texts, _, _ = await stop_and_go_on(folder / f"life{number}", point)
        assert texts == stopped, point


class Writing(ScriptedModel):
    """Its first answer stops in the middle for good, after people have seen the beginning."""

    def __init__(self) -> None:
        super().__init__([say("Still here.")], strict=True)
        self.shown = asyncio.Event()

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        if not self.shown.is_set():
            on_delta(DeltaText("The first half "))
            on_delta(DeltaText("of it"))
            self.shown.set()
            await asyncio.Event().wait()
        return await super().sample(request, on_delta)


async def test_text_shown_before_a_stop_stays(home: Path):
    model = Writing()
    async with running_app(home, model) as house:
        await house.chat.say("ann", "go")
        await model.shown.wait()
        await house.order("ann", "stop")
        assert "The first half of it\n\nStopped." in house.chat.texts
        assert await house.ask("ann", "still there?") == "Still here."
    assert "The first half of it\\n(stopped by the person)" in whole(model.requests[0])


async def test_a_call_that_a_crash_left_behind_a_stop_is_named(home: Path):
    """Nobody knows whether a started script took effect, if its turn was stopped in a crash."""
    slow_tool(home)
    lives = AppLives(home)
    plan = [call("tool_search", {"pattern": "slow"}), call("slow", {}), say("never")]
    model = PlanModel({"go": plan})
    async with lives.life(model) as life:
        await life.chat.say("ann", "do:go", key="k1")
        await until((home / "pids.txt").exists)
        await life.database.write(Unit.of(Write("UPDATE inbox SET stop = 1 WHERE key = 'k1'")))
        life.database.end()
    model.restarted()
    async with lives.life(model) as life:
        await life.settle()
    [stopped] = lives.chat.texts
    assert stopped == "Stopped. One step was cut off; whether it took effect is unknown."
