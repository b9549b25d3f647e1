"""A plan on the real journal with scripted workers: retries after failures, and crashes."""

import asyncio
from pathlib import Path

import pytest

from bot.agents.planner.orders_store import OrderKind
from bot.domain.plans import FailureKind, PlanTask, TaskActivity, TaskNote, TaskState
from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.plan_lives import PASSING, REASONS, TOO_LARGE, Crew, draft, planned, play
from bot.testing.waiting import until

DONE, FAILED = TaskState.COMPLETED, TaskState.FAILED


# --- what follows from a failure ---


@pytest.mark.parametrize("kind", PASSING)
async def test_temporary_failures_are_retried_twice_with_growing_back_off(
    kind: FailureKind, tmp_path: Path
):
    crew = Crew({"look": [REASONS[kind]] * 2})
    async with planned(tmp_path, crew, PlanTask("1", "look")) as here:
        for number, seconds in ((1, 2), (2, 8)):
            await until(lambda: here.clock.sleepers == 1)
            assert here.running.plan.tasks[0].note == TaskNote(TaskActivity.AGAIN, kind)
            await here.clock.advance(seconds - 0.1)
            assert crew.begun["look"] == number
            await here.clock.advance(0.1)
        tasks = await here.end()
    assert crew.begun["look"] == 3
    assert (tasks["1"].state, tasks["1"].failure, tasks["1"].note) == (DONE, None, None)
    assert crew.asked == []


@pytest.mark.parametrize("kind", FailureKind)
async def test_permanent_failures_keep_their_category_and_are_planned_around(
    kind: FailureKind, tmp_path: Path
):
    crew = Crew({"look": [REASONS[kind]] * 9}, {"replan:1": [draft("9", "ask")]})
    async with planned(tmp_path, crew, PlanTask("1", "look"), PlanTask("2", "sum", ("1",))) as here:
        tasks = await here.end()
    assert crew.begun["look"] == (3 if kind in PASSING else 1)
    assert (tasks["1"].state, tasks["1"].failure, tasks["1"].result) == (
        FAILED,
        kind,
        REASONS[kind],
    )
    assert [tasks["9"].state, "2" in tasks] == [DONE, False]
    assert f"Failed: 1 ({kind}): {REASONS[kind]}" in crew.asked[0]
    assert "2. [Pending] sum (needs 1)" in crew.asked[0], "what is kept can be given again"


@pytest.mark.parametrize(
    ("kind", "tools"), [(FailureKind.NOT_FOUND, ["a", "b"]), (FailureKind.DENIED, ["a"])]
)
async def test_another_tool_is_tried_once_unless_it_was_refused(
    kind: FailureKind, tools: list[str], tmp_path: Path
):
    crew = Crew({"look": [REASONS[kind]] * 9}, others={"a": "b", "b": "a"})
    async with planned(
        tmp_path, crew, PlanTask("1", "look", tool="a"), PlanTask("2", "ask")
    ) as here:
        tasks = await here.end()
    assert crew.tools == [tools[0], "", *tools[1:]]
    assert [tasks["1"].state, tasks["2"].state] == [FAILED, DONE], "what is done is kept"


async def test_no_more_than_three_times_is_planned_anew(tmp_path: Path):
    unknown = [REASONS[FailureKind.UNKNOWN]] * 9
    crew = Crew(
        {f"try {n}": unknown for n in range(5)},
        {f"replan:{n}": [draft(str(n), f"try {n}")] for n in range(1, 5)},
    )
    async with planned(tmp_path, crew, PlanTask("0", "try 0"), PlanTask("x", "ask")) as here:
        tasks = await here.end()
    assert len(crew.asked) == 3
    assert {key: task.state for key, task in tasks.items()} == {
        "0": FAILED, "x": DONE, "1": FAILED, "2": FAILED, "3": FAILED,
    }  # fmt: skip


async def test_an_unplannable_failure_leaves_independent_tasks(tmp_path: Path):
    crew = Crew({"look": [REASONS[FailureKind.DENIED]]}, {"replan:1": []})
    tasks = (
        PlanTask("1", "look"),
        PlanTask("2", "sum", ("1",)),
        PlanTask("3", "ask"),
        PlanTask("4", "tell", ("3",)),
    )
    async with planned(tmp_path, crew, *tasks) as here:
        ended = await here.end()
    assert [task.state for task in ended.values()] == [FAILED, FAILED, DONE, DONE]
    assert ended["2"].result == "not begun: it needs task 1"
    assert crew.contexts["tell"] == "Result of task 3 (ask):\nask is done"


async def test_a_task_that_is_too_large_goes_on_in_parts_that_may_fail_alone(tmp_path: Path):
    crew = Crew(
        {"all": [TOO_LARGE], "half": [REASONS[FailureKind.DENIED]]},
        {"split:1": [draft("1.1", "half"), draft("1.2", "rest"), draft("1.3", "join", "1.2")]},
        others={"a": "b"},
    )
    async with planned(
        tmp_path, crew, PlanTask("1", "all", tool="a"), PlanTask("2", "sum", ("1",))
    ) as here:
        tasks = await here.end()
    assert {key: task.state for key, task in tasks.items()} == {
        "1": FAILED, "1.1-1": FAILED, "1.1-2": DONE, "1.1-3": DONE, "2": FAILED,
    }  # fmt: skip
    assert tasks["1"].failure is FailureKind.DENIED, "why its part failed"
    assert "rest is done" in tasks["1"].result, "what is done of it is kept"
    assert crew.begun["all"] == 1, "the whole is not begun again"


# --- what a person orders ---


async def test_a_part_is_struck_and_the_others_go_on(tmp_path: Path):
    crew = Crew(
        {"all": [TOO_LARGE]},
        {"split:1": [draft("1", "half"), draft("2", "rest")]},
        held={"half": asyncio.Event()},
    )
    async with planned(tmp_path, crew, PlanTask("1", "all"), PlanTask("2", "sum", ("1",))) as here:
        await until(lambda: crew.begun["half"] == 1)
        assert await here.strike("1.1")
        tasks = await here.end()
        assert not await here.strike("1.2"), "it is over"
    assert tasks["1.1"].struck
    assert [tasks[key].state for key in ("1", "1.2", "2")] == [DONE] * 3
    assert crew.ended["half"] == 0
    assert "half" not in crew.contexts["sum"].partition("rest")[2]


@pytest.mark.parametrize("order", [["1.1", "1.2"], ["1"]])
async def test_a_whole_is_struck_with_its_parts_and_by_them(order: list[str], tmp_path: Path):
    never = asyncio.Event()
    crew = Crew(
        {"all": [TOO_LARGE]},
        {"split:1": [draft("1", "half"), draft("2", "rest")]},
        held={"half": never, "rest": never},
    )
    async with planned(tmp_path, crew, PlanTask("1", "all"), PlanTask("2", "sum", ("1",))) as here:
        await until(lambda: crew.begun["half"] == crew.begun["rest"] == 1)
        for task_id in order:
            assert await here.strike(task_id)
        tasks = await here.end()
    assert [tasks[key].struck for key in ("1", "1.1", "1.2")] == [True] * 3
    assert tasks["2"].state is DONE
    assert crew.asked[1:] == [], "nothing is planned around what its person doesn't want"


async def test_an_order_that_comes_too_late_is_told_from_one_that_is_taken(tmp_path: Path):
    held = asyncio.Event()
    async with planned(tmp_path, Crew(held={"look": held}), PlanTask("1", "look")) as here:
        assert await here.order(here.running, OrderKind.ADD, "more")
        await until(lambda: len(here.running.plan.tasks) == 2)
        held.set()
        assert (await here.end())["2"].description == "more"
        assert not await here.order(here.running, OrderKind.ADD, "and more")


# --- a process that ends ---


@pytest.mark.parametrize(
    "point",
    [
        CrashPoint(1, Moment.AFTER, "task:1.1 done"),  # a result that no wake has taken
        CrashPoint(1, Moment.AFTER, "replan:1 done"),  # a new plan that nobody has begun
        CrashPoint(1, Moment.BEFORE, "sub:3/task:2.1 done"),  # in a sub-plan
    ],
)
async def test_a_plan_ends_the_same_wherever_the_process_ends(point: CrashPoint, tmp_path: Path):
    assert await play(tmp_path, point), "bench/plans.py ends it at every write"
