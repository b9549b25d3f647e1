"""Tools of a queen and her ants: their files, shared texts, and the limits of a batch."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from bot.domain.access import Role
from bot.domain.origins import Origin, Trust
from bot.plugins.swarm import arguments
from bot.plugins.swarm.arguments import ANT_TOOLS
from bot.plugins.swarm.hand_in import final_text, read_final
from bot.plugins.swarm.swarms import (
    BREAKER_FAILURES,
    BREAKER_WINDOW,
    AntKind,
    AntState,
    AntTask,
    Criterion,
    Discovery,
    Swarm,
    checked_batch,
    ready,
)
from bot.testing.shipped_tools import shipped_tool
from bot.tools.schemas.argument_models import args_schema
from tests.thoroughness import examples

MODELS: dict[str, type[BaseModel]] = {
    "queen/pm_prepare_workspace": arguments.PrepareArguments,
    "queen/pm_spawn_ant": arguments.SpawnArguments,
    "queen/pm_run_batch": arguments.BatchArguments,
    "queen/pm_snapshot": arguments.SnapshotArguments,
    "queen/pm_restore_snapshot": arguments.SnapshotArguments,
    "subagents/ant_execute_task": arguments.ExecuteArguments,
    "subagents/ant_report_discovery": arguments.DiscoveryArguments,
    "subagents/ant_request_help": arguments.HelpArguments,
}


@pytest.mark.parametrize("path", MODELS)
def test_the_file_declares_what_the_arguments_model_takes(path: str):
    tool, name = shipped_tool(path), path.split("/")[1]
    assert tool.parameters == args_schema(MODELS[path])
    assert tool.name == name
    assert tool.access.roles == {Role.PARTNER, Role.MASTER_ADMIN}
    assert 30 <= len(tool.one_liner) <= 120
    assert tool.one_liner.endswith(".")


def test_the_tools_of_ants_are_those_that_the_swarm_unlocks():
    assert {path.split("/")[1] for path in MODELS if path.startswith("subagents/")} == set(
        ANT_TOOLS
    )


# --- what an ant hands in ---


def test_a_hand_in_comes_back_as_it_was_given():
    checks = [arguments.CheckArguments(criterion=1, met=True, evidence="status 0")]
    given = arguments.ExecuteArguments(result='done "so"', checks=checks)
    help_wanted = arguments.HelpArguments(problem="no tests")
    assert read_final(final_text(given)) == given
    assert read_final(final_text(help_wanted)) == help_wanted


@given(
    st.text()
    | st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=4).map(json.dumps)
)
@settings(max_examples=examples(60), deadline=None)
def test_no_other_text_is_a_hand_in(text: str):
    assert read_final(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"hand_in": {}}',
        "[" * 50_000,
        '{"help_wanted": ""}',
        '{"hand_in": null}',
        '{"verified": true}',
    ],
)
def test_what_looks_like_one_is_none(text: str):
    assert read_final(text) is None


# --- batches ---


def a_task(ant_id: str, *depends_on: str, files: tuple[str, ...] = ()) -> AntTask:
    return AntTask(ant_id, AntKind.WORKER, "work", (Criterion("done"),), depends_on, files)


@pytest.mark.parametrize(
    ("tasks", "problem"),
    [
        ((a_task("a"), a_task("a")), "two tasks have the id a"),
        ((a_task("a", "b"),), "task a depends on b, which is no task of this batch"),
        ((a_task("a", "b"), a_task("b", "a"), a_task("c")), "the tasks a, b wait for each other"),
        ((a_task("a", "a"),), "the tasks a wait for each other"),
    ],
)
def test_a_batch_that_can_never_end_is_refused(tasks: tuple[AntTask, ...], problem: str):
    with pytest.raises(ValueError, match=problem):
        checked_batch(tasks)


@st.composite
def batches(draw: st.DrawFn) -> tuple[AntTask, ...]:
    """Any tasks that depend on earlier ones, in any order, and may change some of three files."""
    count = draw(st.integers(1, 8))
    tasks = [
        a_task(
            str(number),
            *(draw(st.sets(st.integers(0, number - 1).map(str), max_size=3)) if number else ()),
            files=tuple(draw(st.sets(st.sampled_from("abc"), max_size=2))),
        )
        for number in range(count)
    ]
    return tuple(draw(st.permutations(tasks)))


@given(batches(), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_every_ant_that_can_begin_does_and_none_too_early(
    tasks: tuple[AntTask, ...], data: st.DataObject
):
    assert checked_batch(tasks) == tasks
    states = {task.id: AntState.WAITING for task in tasks}
    by_id = {task.id: task for task in tasks}
    while True:
        for task in ready(tasks, states):
            assert all(states[one] is AntState.VERIFIED for one in task.depends_on)
            states[task.id] = AntState.AT_WORK
        at_work = [by_id[one] for one, state in states.items() if state is AntState.AT_WORK]
        changed = [path for task in at_work for path in task.files]
        assert len(changed) == len(set(changed)), "two ants change one file"
        if not at_work:
            break
        ended = data.draw(st.sampled_from(at_work))
        states[ended.id] = data.draw(
            st.sampled_from([AntState.VERIFIED, AntState.VERIFIED, AntState.FAILED])
        )
    for task in tasks:
        if states[task.id] is AntState.WAITING:
            assert any(
                states[one] in {AntState.FAILED, AntState.WAITING} for one in task.depends_on
            )


# --- the breaker ---


@given(st.lists(st.booleans(), max_size=15))
@settings(max_examples=examples(60), deadline=None)
def test_the_breaker_opens_by_the_last_ants_and_one_success_closes_it(ends: list[bool]):
    swarm, since = Swarm("shop", "goal"), list[bool]()
    for verified in ends:
        was_broken = swarm.broken
        swarm = swarm.ended(verified)
        since = [] if was_broken and verified else [*since, verified]
        assert swarm.broken == (since[-BREAKER_WINDOW:].count(False) >= BREAKER_FAILURES)


def test_a_swarm_survives_the_journal():
    found = Discovery("w1", "cents", Origin(Trust.EXTERNAL, "ant w1"))
    swarm = Swarm("shop", "goal", "in cents", "webdev", 3, 5, 2).ended(False, [found])
    assert Swarm.from_json(json.loads(json.dumps(swarm.to_json()))) == swarm
