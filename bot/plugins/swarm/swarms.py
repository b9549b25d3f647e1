"""A swarm: ants that work on one project, each until it is verified or has no tries left."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from bot.plugin.agents import in_a_circle
from bot.plugin.tools import JsonObject, Origin

SWARM = "swarm"
"""The subject of a queen's note: her swarm after a call."""
DISCOVERY = "discovery"
"""The subject of an ant's notes: what it found."""
MOST_ANTS = 12
"""Ants of one batch."""
MOST_BEGUN = 40
"""Ants of one swarm, all batches together."""
BREAKER_WINDOW = 5
BREAKER_FAILURES = 3
"""The breaker opens when this many of the last BREAKER_WINDOW ants failed."""


class AntKind(StrEnum):
    """The job of an ant; also the name of its agent."""

    WORKER = "worker"
    SCOUT = "scout"
    SOLDIER = "soldier"
    DEBUGGER = "debugger"


TRIES: Mapping[AntKind, int] = {
    AntKind.WORKER: 3,
    AntKind.SCOUT: 2,
    AntKind.SOLDIER: 3,
    AntKind.DEBUGGER: 5,
}
"""The most tries of an ant of each kind; a try is one run of its agent."""


@dataclass(frozen=True)
class Criterion:
    """A criterion for finished work.

    With a command, exit status 0 means met. Without one, the ant checks it.
    """

    text: str
    command: str = ""


@dataclass(frozen=True)
class AntTask:
    """The task of one ant. `id` is unique in its batch."""

    id: str
    kind: AntKind
    task: str
    criteria: tuple[Criterion, ...]
    depends_on: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """The files that it may change; two ants never change the same one at the same time."""


class AntState(StrEnum):
    WAITING = "waiting"
    AT_WORK = "at work"
    VERIFIED = "verified"
    FAILED = "failed"
    FAULTS = "found faults"
    """A soldier did its work, and the work that it tested is not right."""
    STRUCK = "struck"
    """The person struck it. Tasks that need it continue without its result."""

    @property
    def met(self) -> bool:
        """Whether tasks that depend on it may begin."""
        return self in {AntState.VERIFIED, AntState.STRUCK}


@dataclass(frozen=True)
class Discovery:
    """A finding of an ant for the queen and later ants, with the trust of what the ant read."""

    ant: str
    text: str
    origin: Origin

    def to_json(self) -> JsonObject:
        return {"ant": self.ant, "text": self.text, "origin": self.origin.to_json()}

    @classmethod
    def from_json(cls, data: JsonObject) -> "Discovery":
        return cls(data["ant"], data["text"], Origin.from_json(data["origin"]))


@dataclass(frozen=True)
class Swarm:
    """The swarm of a queen in one run: project, parallelism, and the last outcomes."""

    project: str
    goal: str
    context: str = ""
    """The queen's instructions for every ant."""
    skill: str = ""
    """The manifest that sizes the swarm and whose tools the ants get; empty: none."""
    side_by_side: int = 3
    """Ants at work at the same time, unless a batch says otherwise."""
    most: int = 5
    """The most that a batch may ask for."""
    begun: int = 0
    """Ants so far."""
    last: tuple[bool, ...] = ()
    """Whether each of the last ants was verified, oldest first; at most BREAKER_WINDOW."""
    discoveries: tuple[Discovery, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether too many of the last ants failed. Then no batch begins until one ant succeeds."""
        return self.last.count(False) >= BREAKER_FAILURES

    def ended(self, verified: bool, discoveries: Sequence[Discovery] = ()) -> "Swarm":
        """The swarm after one more ant. One that succeeds while the breaker is open closes it."""
        last = () if verified and self.broken else (*self.last, verified)[-BREAKER_WINDOW:]
        return replace(self, last=last, discoveries=(*self.discoveries, *discoveries))

    def to_json(self) -> JsonObject:
        return {
            **asdict(self),
            "last": list(self.last),
            "discoveries": [one.to_json() for one in self.discoveries],
        }

    @classmethod
    def from_json(cls, data: JsonObject) -> "Swarm":
        found = tuple(Discovery.from_json(one) for one in data["discoveries"])
        read: JsonObject = {**data, "last": tuple(data["last"]), "discoveries": found}
        return cls(**read)


def checked_batch(tasks: Iterable[AntTask]) -> tuple[AntTask, ...]:
    """Return the tasks if they form a valid batch. Raises ValueError with the remedy."""
    found = tuple(tasks)
    ids = [task.id for task in found]
    if twice := next((one for one in ids if ids.count(one) > 1), None):
        raise ValueError(f"two tasks have the id {twice}; give each its own")
    for task in found:
        if unknown := next((one for one in task.depends_on if one not in ids), None):
            raise ValueError(f"task {task.id} depends on {unknown}, which is no task of this batch")
    if stuck := in_a_circle({task.id: task.depends_on for task in found}):
        raise ValueError(
            f"the tasks {', '.join(stuck)} wait for each other; take one dependency out"
        )
    return found


def ready(tasks: Sequence[AntTask], states: Mapping[str, AntState]) -> tuple[AntTask, ...]:
    """Tasks that can start: their dependencies are verified or struck, and their files are free.

    Only a debugger also begins after a soldier that found faults: it mends them.
    """
    taken = {path for task in tasks if states[task.id] is AntState.AT_WORK for path in task.files}
    found: list[AntTask] = []
    for task in tasks:
        waits = states[task.id] is AntState.WAITING
        mends = task.kind is AntKind.DEBUGGER
        needs_met = all(
            states[one].met or (mends and states[one] is AntState.FAULTS) for one in task.depends_on
        )
        if waits and needs_met and taken.isdisjoint(task.files):
            found.append(task)
            taken.update(task.files)
    return tuple(found)
