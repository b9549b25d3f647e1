"""The kind of run that a turn asks for, and its session."""

from dataclasses import replace
from typing import assert_never

from bot.domain.runs import RunKind, RunShape
from bot.domain.sessions import SessionKey
from bot.domain.turns import Turn
from bot.domain.work import (
    CompactionWork,
    ControlWork,
    DecisionWork,
    DelegationWork,
    InterviewWork,
    MessageWork,
    ReminderWork,
    ScheduleWork,
    SkillWork,
    StrangerWork,
    TodoWork,
    TriggerWork,
    Work,
    load_work,
)


def run_kind(work: Work) -> RunKind:
    """The shape of the run that a turn asks for."""
    match work:
        case ScheduleWork():
            return RunKind(RunShape.SCHEDULED)
        case TodoWork():
            return RunKind(RunShape.TODO)
        case TriggerWork():
            return RunKind(RunShape.TRIGGERED, work.event)
        case (
            MessageWork()
            | SkillWork()
            | DecisionWork()
            | StrangerWork()
            | ControlWork()
            | CompactionWork()
            | InterviewWork()
            | ReminderWork()
            | DelegationWork()
        ):
            return RunKind()
        case _:
            assert_never(work)


def runs_in(turn: Turn, key: SessionKey) -> SessionKey:
    """The session of a turn.

    Each run without a person present has a session of its own, never a chat's.
    """
    present = run_kind(load_work(turn.body)).shape.person_present
    return key if present else replace(key, run=turn.key)
