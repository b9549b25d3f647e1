"""What a turn is about, as the journal keeps it."""

import json
from dataclasses import fields
from typing import get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.domain.work import (
    Accepted,
    CompactionWork,
    ControlWork,
    DecisionWork,
    DelegationWork,
    GivenAnswer,
    HeardMessage,
    InterviewWork,
    MessageWork,
    ReminderWork,
    ScheduleWork,
    SkillWork,
    StrangerWork,
    TodoWork,
    TriggerWork,
    Work,
    dump_work,
    find_work,
    load_work,
)
from bot.errors import UnreadableWork
from tests.thoroughness import examples

ENVELOPE: JsonObject = {"key": "discord:1:2", "text": "hello", "addressed": "dm"}

RECORDED: list[tuple[JsonObject, Work]] = [
    ({"kind": "message", "message": ENVELOPE}, MessageWork(ENVELOPE)),
    (
        {"kind": "message", "message": ENVELOPE, "connected": "google"},
        MessageWork(ENVELOPE, "google"),
    ),
    ({"kind": "control", "message": ENVELOPE, "session": "s"}, ControlWork(ENVELOPE, "s")),
    (
        {
            "kind": "control",
            "message": ENVELOPE,
            "session": "s",
            "ran": [3],
            "at": "2026-11-20T09:00:00Z",
        },
        ControlWork(ENVELOPE, "s", (3,), "2026-11-20T09:00:00Z"),
    ),
    ({"kind": "approval", "ref": "a1", "message": ENVELOPE}, DecisionWork(ENVELOPE, "a1")),
    (
        {"kind": "approval", "ref": "a1", "message": ENVELOPE, "lines": []},
        DecisionWork(ENVELOPE, "a1", ()),
    ),
    (
        {"kind": "approval", "ref": "a1", "message": ENVELOPE, "lines": [1, 2]},
        DecisionWork(ENVELOPE, "a1", (1, 2)),
    ),
    ({"kind": "compact", "message": ENVELOPE}, CompactionWork(ENVELOPE)),
    (
        {
            "kind": "skill",
            "skill": {"scope": "library", "name": "x"},
            "name": "x",
            "message": ENVELOPE,
        },
        SkillWork(ENVELOPE, {"scope": "library", "name": "x"}, "x"),
    ),
    ({"kind": "skill_new", "name": "", "message": ENVELOPE}, InterviewWork(ENVELOPE, "")),
    ({"kind": "schedule", "task": "s1", "message": ENVELOPE}, ScheduleWork(ENVELOPE, "s1")),
    ({"kind": "todo", "todo": "t1", "message": ENVELOPE}, TodoWork(ENVELOPE, "t1")),
    ({"kind": "reminder", "todo": "t1", "message": ENVELOPE}, ReminderWork(ENVELOPE, "t1")),
    (
        {"kind": "automation", "automation": "u1", "event": "NEW_PERSON", "message": ENVELOPE},
        TriggerWork(ENVELOPE, "u1", "NEW_PERSON"),
    ),
    ({"kind": "stranger", "message": ENVELOPE}, StrangerWork(ENVELOPE)),
    (
        {
            "kind": "delegation",
            "ref": "d1",
            "agent": "mail",
            "depth": 1,
            "session": "x",
            "message": ENVELOPE,
        },
        DelegationWork(ENVELOPE, "d1", "mail", {"depth": 1, "session": "x"}),
    ),
]
SETTLED: list[tuple[JsonObject, Accepted]] = [
    ({"answer": "q1", "text": "yes"}, GivenAnswer("q1", "yes")),
    ({"kind": "context", "why": "changed"}, HeardMessage("context", "changed")),
    (
        {
            "kind": "ignored",
            "why": "guests",
            "person": "ann",
            "addressed": "dm",
            "private": False,
            "rule": "guests",
        },
        HeardMessage("ignored", "guests", "ann", "dm", False, "guests"),
    ),
]
HELD = {"kind", "ref", "agent", "message", "answer"}


@pytest.mark.parametrize(("body", "work"), RECORDED, ids=lambda value: str(value)[:40])
def test_work_of_earlier_versions_is_read_and_written_unchanged(body: JsonObject, work: Work):
    assert load_work(body) == work
    assert dump_work(work) == body


@pytest.mark.parametrize(("body", "accepted"), SETTLED, ids=lambda value: str(value)[:40])
def test_settled_records_are_found_and_are_no_work(body: JsonObject, accepted: Accepted):
    assert find_work(body) == accepted
    assert dump_work(accepted) == body
    with pytest.raises(UnreadableWork):
        load_work(body)


def test_each_kind_of_work_is_among_the_recorded_ones():
    assert {type(work) for _, work in RECORDED} == set(get_args(Work))


NAMES = st.text(max_size=5).filter(lambda name: name not in HELD)
OBJECTS = st.dictionaries(NAMES, st.none() | st.integers() | st.text(max_size=5), max_size=3)


def _any_of(kind: type[Work]) -> st.SearchStrategy[Work]:
    """Work of a kind with anything in each field, those with a default too."""
    hints = get_type_hints(kind)
    return st.builds(
        kind,
        **{
            name: OBJECTS if hint == JsonObject else st.from_type(hint)
            for name, hint in hints.items()
        },
    )


@settings(max_examples=examples(60))
@given(st.one_of([_any_of(kind) for kind in get_args(Work)]))
def test_work_comes_back_from_the_journal_as_it_was(work: Work):
    assert load_work(json.loads(json.dumps(dump_work(work)))) == work


@pytest.mark.parametrize(
    "body", [{}, {"kind": None}, {"kind": "dance", "message": ENVELOPE}, {"message": ENVELOPE}]
)
def test_an_unknown_kind_is_never_taken_for_a_message(body: JsonObject):
    with pytest.raises(UnreadableWork, match="known to this version"):
        load_work(body)
    assert find_work(body) is None


@pytest.mark.parametrize("body", [body for body, _ in RECORDED], ids=lambda body: str(body["kind"]))
def test_a_record_without_its_message_is_refused(body: JsonObject):
    for damaged in (
        {**body, "message": "hello"},
        {name: body[name] for name in body if name != "message"},
    ):
        with pytest.raises(UnreadableWork, match=f"kind {body['kind']!r}"):
            load_work(damaged)


def test_every_kind_of_work_holds_the_message_that_it_answers():
    assert all("envelope" in {field.name for field in fields(kind)} for kind in get_args(Work))
