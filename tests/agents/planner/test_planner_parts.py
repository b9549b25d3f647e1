"""Parts of the planner that need no app: kinds of failures, the plan, its lines."""

import json
from pathlib import Path

import pytest

from bot.agents.planner.reports import is_too_large, kind_of
from bot.agents.planner.running import RunningPlan
from bot.chat.draft_lines import change_hint, checklist
from bot.domain.chat import PlanShown
from bot.domain.languages import Language
from bot.domain.plans import FailureKind, Plan, PlanTask, TaskActivity, TaskNote, TaskState, checked
from bot.storage.database import SqliteDatabase


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        (
            "agent_scout: agent: 3 consecutive LLM errors (last: 429 too many requests)",
            FailureKind.RATE_LIMIT,
        ),
        ("agent_scout: agent: max_seconds=900 exhausted without final reply", FailureKind.TIMEOUT),
        (
            "agent_scout: agent: 3 consecutive LLM errors (last: connection reset)",
            FailureKind.TRANSPORT,
        ),
        ("subprocess scout: exit status 1", FailureKind.TRANSPORT),
        ("agent_x: there is no such agent for you; callable agents: none", FailureKind.NOT_FOUND),
        ("agent_scout: the instruction is blank; say what to do", FailureKind.BAD_ARGUMENTS),
        ("tool blocked by policy", FailureKind.DENIED),
        ("agent_scout: agent: it did not work", FailureKind.UNKNOWN),
    ],
)
def test_a_failure_is_read_from_its_words(reason: str, kind: FailureKind):
    assert kind_of(reason) is kind


@pytest.mark.parametrize(
    ("ids", "said", "meant"),
    [
        (("1", "2", "3"), "2", "2"),
        (("Terms", "sum"), "terms", "Terms"),
        (("Terms", "sum"), "2", "sum"),
        (("2", "3"), "1", None),
        (("Terms", "sum"), "3", None),
        (("Terms", "sum"), "1.2", "2"),
        (("sum", "Sum"), "sum", "sum"),
        (("sum", "Sum"), "SUM", None),
        (("Terms", "sum"), "TERMS.2", "2"),
    ],
)
def test_a_task_is_meant_by_what_its_person_sees(
    ids: tuple[str, ...], said: str, meant: str | None, tmp_path: Path
):
    running = RunningPlan(SqliteDatabase(tmp_path / "unopened.db"), "s", 1, "", plan_of(*ids))
    running.part(ids[0], "part", plan_of("1", "2"))
    found = running.find(said)
    assert (None if found is None else found[1].id) == meant


def plan_of(*ids: str) -> Plan:
    return Plan("goal", tuple(PlanTask(one, "Look.") for one in ids))


def test_only_who_ran_out_of_calls_or_room_had_too_large_a_task():
    assert is_too_large("agent_scout: agent: max_turns=5 exhausted without final reply")
    assert not is_too_large("agent_scout: agent: the model declined to answer")


@pytest.mark.parametrize(
    ("tasks", "complaint"),
    [
        ([PlanTask("1", "a"), PlanTask("1", "b")], "two tasks have the id 1"),
        ([PlanTask("1", "a", ("7",))], "depends on 7"),
        ([PlanTask("1", "a", ("2",)), PlanTask("2", "b", ("1",))], "wait for each other"),
        ([PlanTask(str(n), "a") for n in range(13)], "at most 12 tasks"),
        ([PlanTask("1", " ")], "no description"),
    ],
)
def test_an_impossible_plan_is_refused(tasks: list[PlanTask], complaint: str):
    with pytest.raises(ValueError, match=complaint):
        checked(tasks)


def test_a_plan_is_the_same_after_json_and_a_struck_task_holds_nobody_up():
    tasks = (
        PlanTask("1", "a", struck=True),
        PlanTask("2", "b", ("1",)),
        PlanTask("3", "c", ("2",)),
    )
    plan = Plan("goal", tasks)
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert [task.id for task in plan.ready()] == ["2"]
    failed = plan.put(
        PlanTask("2", "b", ("1",), state=TaskState.FAILED, failure=FailureKind.DENIED)
    ).closed()
    assert [task.state for task in failed.tasks[1:]] == [TaskState.FAILED] * 2
    assert failed.tasks[2].result == "not begun: it needs task 2"
    assert [task.state for task in failed.reopened("2").tasks[1:]] == [TaskState.PENDING] * 2


TASKS = (
    PlanTask("1", "look", state=TaskState.COMPLETED),
    PlanTask("2", "ask", state=TaskState.FAILED, failure=FailureKind.DENIED),
    PlanTask(
        "2.1",
        "half",
        state=TaskState.IN_PROGRESS,
        note=TaskNote(TaskActivity.AGAIN, FailureKind.TIMEOUT),
    ),
    PlanTask("3", "sum", struck=True),
)


def test_each_task_is_a_line_and_parts_stand_below_their_whole():
    assert checklist(PlanShown("goal", TASKS)) == [
        "✅ 1. look",
        "❌ 2. ask (not allowed)",
        "  ⏳ 2.1. half (trying again in a moment: took too long)",
        "✖️ 3. sum (struck)",
    ]


@pytest.mark.parametrize("language", Language)
def test_beside_a_task_stand_words_of_its_persons_language_alone(language: Language):
    notes = [TaskNote(kind, FailureKind.TIMEOUT, "4") for kind in TaskActivity]
    tasks = [
        *(PlanTask("1", "", note=note) for note in notes),
        *(PlanTask("1", "", state=TaskState.FAILED, failure=kind) for kind in FailureKind),
        PlanTask("1", "", struck=True),
    ]
    plan, english = PlanShown("", tuple(tasks), language=language), PlanShown("", tuple(tasks))
    hints = [change_hint(plan, "/plan"), *checklist(plan)]
    others = [change_hint(english, "/plan"), *checklist(english)]
    assert language is Language.EN or not {*hints} & {*others}
    assert Plan.from_json(Plan("", tuple(tasks)).to_json()).tasks == tuple(tasks)
