"""Kinds of accepted work, and their JSON in the journal.

`Work` is closed: whoever branches on it does so with `match` and `assert_never`, so a new kind of
work is missing nowhere. Every kind holds an `envelope`: the message that it answers, as
`sessions.envelope` writes it.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import TypeAlias, cast

from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.messages import Addressed
from bot.errors import UnreadableWork


@dataclass(frozen=True)
class MessageWork:
    """A person's message."""

    envelope: JsonObject
    connected: str = ""
    """Id of the service, for a message that resumes after a connection was made."""


@dataclass(frozen=True)
class ControlWork:
    """A command or a click."""

    envelope: JsonObject
    session: str = ""
    """Key of the session that it concerns; the work itself has its own lane."""
    ran: tuple[int, ...] | None = None
    """Ids of the turns to stop: those that ran when the command was given.

    None for other commands.
    """
    at: str | None = None
    """When the stop was given."""


@dataclass(frozen=True)
class DecisionWork:
    """A person's decision about a stored call."""

    envelope: JsonObject
    ref: str
    """Id of the approval."""
    lines: tuple[int, ...] | None = None
    """Numbers of the approved calls of a plan; empty means all. None for a no."""
    known: bool = False
    """Whether its asker has heard all of it: the no was their own."""


@dataclass(frozen=True)
class CompactionWork:
    """`/compact`."""

    envelope: JsonObject


@dataclass(frozen=True)
class SkillWork:
    """A person's message that runs a skill."""

    envelope: JsonObject
    skill: JsonObject
    """The skill, as `skills.commands.SkillRef` writes it."""
    name: str
    """Of the command that was typed."""


def skill_turn_key(command: str) -> str:
    """The key of the turn that runs a skill for the command with this key."""
    return f"skill:{command}"


@dataclass(frozen=True)
class InterviewWork:
    """`/skill new`: Bellhop asks the person about the new skill."""

    envelope: JsonObject
    name: str


@dataclass(frozen=True)
class ScheduleWork:
    """A scheduled task is due."""

    envelope: JsonObject
    task: str
    """Reference of the task."""


@dataclass(frozen=True)
class TodoWork:
    """A todo that is assigned to the assistant is due."""

    envelope: JsonObject
    todo: str


@dataclass(frozen=True)
class ReminderWork:
    """A reminder of a todo is due."""

    envelope: JsonObject
    todo: str


@dataclass(frozen=True)
class TriggerWork:
    """An event starts an automation."""

    envelope: JsonObject
    automation: str
    event: str
    """In capitals, as tools name it (`NEW_PERSON`)."""


@dataclass(frozen=True)
class StrangerWork:
    """A stranger wrote: the people who may decide are asked who it is."""

    envelope: JsonObject


@dataclass(frozen=True)
class DelegationWork:
    """An agent works in the background."""

    envelope: JsonObject
    ref: str
    agent: str
    task: JsonObject
    """The rest of its run's input, as `agents.delegation.background.BackgroundTask` writes it."""


Work: TypeAlias = (
    MessageWork
    | ControlWork
    | DecisionWork
    | CompactionWork
    | SkillWork
    | InterviewWork
    | ScheduleWork
    | TodoWork
    | ReminderWork
    | TriggerWork
    | StrangerWork
    | DelegationWork
)


@dataclass(frozen=True)
class HeardMessage:
    """A message that got no turn of its own.

    What is None was not written by the version that recorded it.
    """

    kind: str
    """The `Acceptance` that it got."""
    why: str
    person: str | None = None
    addressed: str | None = None
    private: bool | None = None
    rule: str = ""
    """Name of the rule that decided."""


@dataclass(frozen=True)
class GivenAnswer:
    """A message that answered an open question."""

    question: str
    text: str


HEARD = frozenset({"ignored", "context"})
Accepted: TypeAlias = Work | HeardMessage | GivenAnswer
"""Everything that an inbox row can hold: work, and messages that were settled at once."""


def may_be_silent(work: Accepted | None) -> bool:
    """Whether a message's turn may end without an answer, as nobody may wait for one."""
    return is_overheard(work) or (isinstance(work, DecisionWork) and work.known)


def is_overheard(work: Accepted | None) -> bool:
    """Whether it is a message that named nobody, where the assistant answers such messages.

    So it may be for somebody else there.
    """
    return isinstance(work, MessageWork) and work.envelope.get("addressed") == Addressed.FOLLOWED


_KINDS: Mapping[str, type[Work]] = {
    "message": MessageWork,
    "control": ControlWork,
    "approval": DecisionWork,
    "compact": CompactionWork,
    "skill": SkillWork,
    "skill_new": InterviewWork,
    "schedule": ScheduleWork,
    "todo": TodoWork,
    "reminder": ReminderWork,
    "automation": TriggerWork,
    "stranger": StrangerWork,
    "delegation": DelegationWork,
}
"""Each kind by its name in the journal, which never changes."""
_NAMES: Mapping[type[Work], str] = {made: name for name, made in _KINDS.items()}


def dump_work(work: Accepted) -> JsonObject:
    """The JSON body for the journal: the fields by their names, the envelope as `message`."""
    match work:
        case GivenAnswer():
            return {"answer": work.question, "text": work.text}
        case HeardMessage():
            return _told(work)
        case DelegationWork():
            about = {"kind": "delegation", "ref": work.ref, "agent": work.agent}
            return {**about, **work.task, "message": work.envelope}
        case _:
            told = _told(work)
            return {"kind": _NAMES[type(work)], "message": told.pop("envelope"), **told}


def _told(work: Work | HeardMessage) -> JsonObject:
    """Its fields, without those that have their default."""
    told = {one.name: (getattr(work, one.name), one.default) for one in fields(work)}
    return {name: _plain(value) for name, (value, usual) in told.items() if value != usual}


def _plain(value: JsonValue) -> JsonValue:
    return list(cast("tuple[int, ...]", value)) if isinstance(value, tuple) else value


def load_work(body: JsonObject) -> Work:
    """Read the body of a turn.

    Raises UnreadableWork, also for an unknown kind.
    """
    try:
        return _work(body)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableWork(f"work of kind {body.get('kind')!r} lacks a field: {error}") from error


def find_work(body: JsonObject) -> Accepted | None:
    """Read the body of an inbox row; None if it can't be read. For displays only."""
    if "answer" in body:
        return GivenAnswer(str(body["answer"]), str(body.get("text", "")))
    if body.get("kind") in HEARD:
        return HeardMessage(
            kind=str(body["kind"]),
            why=str(body.get("why", "")),
            person=body.get("person"),
            addressed=body.get("addressed"),
            private=body.get("private"),
            rule=str(body.get("rule", "")),
        )
    try:
        return load_work(body)
    except UnreadableWork:
        return None


def envelope_of(body: JsonObject) -> JsonObject:
    """The unchecked envelope in a body of any kind; empty without one."""
    found = body.get("message")
    return cast("JsonObject", found) if isinstance(found, dict) else {}


def _work(body: JsonObject) -> Work:
    made = _KINDS.get(str(body.get("kind")))
    if made is None:
        raise UnreadableWork(f"no work of kind {body.get('kind')!r} is known to this version")
    if made is DelegationWork:
        known = {"kind", "ref", "agent", "message"}
        task = {name: value for name, value in body.items() if name not in known}
        return DelegationWork(_envelope(body), str(body["ref"]), str(body["agent"]), task)
    given: JsonObject = {"envelope": _envelope(body)}
    for one in fields(made):
        if one.name in body or (one.default is MISSING and one.name not in given):
            given[one.name] = _read(body[one.name])
    return made(**given)


def _read(value: JsonValue) -> JsonValue:
    return tuple(map(int, cast("list[int]", value))) if isinstance(value, list) else value


def _envelope(body: JsonObject) -> JsonObject:
    envelope = body["message"]
    if not isinstance(envelope, dict):
        raise TypeError("its message is no JSON object")
    return cast("JsonObject", envelope)
