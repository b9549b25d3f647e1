"""A plan: tasks that depend on each other, their outcomes, and their display in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from bot.domain.characters import short_line
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase

MOST_TASKS = 12
"""The most tasks of one plan, including tasks that were added while it ran."""
TITLE_CHARS = 100


class TaskState(StrEnum):
    PENDING = "Pending"
    IN_PROGRESS = "InProgress"
    COMPLETED = "Completed"
    FAILED = "Failed"


class FailureKind(StrEnum):
    """Why a task failed; decides what is tried next."""

    TIMEOUT = "timeout"
    RATE_LIMIT = "rate_limit"
    TRANSPORT = "transport"
    BAD_ARGUMENTS = "bad_arguments"
    DENIED = "denied"
    NOT_FOUND = "not_found"
    UNKNOWN = "unknown"


class TaskActivity(StrEnum):
    """What goes on with a task; NOTES has the words."""

    AGAIN = "again"
    SPLITTING = "splitting"
    SPLIT = "split"
    INSTEAD = "instead"
    AROUND = "around"
    TRY = "try"


@dataclass(frozen=True)
class TaskNote:
    """The present activity of a task: a second try, a sub-plan."""

    kind: TaskActivity
    first: str = ""
    """What its words name first; of AGAIN the kind of the failure."""
    second: str = ""


@dataclass(frozen=True)
class PlanTask:
    """One task.

    `id` is unique in its plan; a task of a sub-plan is `<id of the whole>.<number>`.
    """

    id: str
    description: str
    depends_on: tuple[str, ...] = ()
    agent: str = ""
    """The agent that does it; empty: a copy of the agent that made the plan."""
    tool: str = ""
    """The first tool to use."""
    tried: tuple[str, ...] = ()
    """First tools that were tried before without success."""
    state: TaskState = TaskState.PENDING
    result: str = ""
    """The result, or why it failed."""
    failure: FailureKind | None = None
    struck: bool = False
    """Removed from the plan by the person or the agent. `result` holds the agent's reason."""
    wanted: bool = False
    """The person added it, so no replan removes it."""
    note: TaskNote | None = None

    @property
    def title(self) -> str:
        """The description in one line."""
        return short_line(self.description, TITLE_CHARS)

    @property
    def settled(self) -> bool:
        return self.struck or self.state in {TaskState.COMPLETED, TaskState.FAILED}


@dataclass(frozen=True)
class Plan:
    """A goal and its tasks, in display order."""

    goal: str
    tasks: tuple[PlanTask, ...]
    replans: int = 0

    def task(self, task_id: str) -> PlanTask | None:
        return next((task for task in self.tasks if task.id == task_id), None)

    def ready(self) -> tuple[PlanTask, ...]:
        """Pending tasks whose dependencies are completed or struck."""
        done = {task.id for task in self.tasks if task.state is TaskState.COMPLETED or task.struck}
        return tuple(
            task
            for task in self.tasks
            if task.state is TaskState.PENDING
            and not task.struck
            and done.issuperset(task.depends_on)
        )

    def put(self, task: PlanTask) -> "Plan":
        """The plan with a task replaced, or appended if it is new."""
        if self.task(task.id) is None:
            return replace(self, tasks=(*self.tasks, task))
        return replace(self, tasks=tuple(task if task.id == old.id else old for old in self.tasks))

    def added(self, description: str) -> "Plan":
        """The plan with one more task, which depends on nothing.

        Raises ValueError when it is full.
        """
        if len(self.tasks) >= MOST_TASKS:
            raise ValueError(f"a plan has at most {MOST_TASKS} tasks")
        return self.put(PlanTask(self._next_id(), description, wanted=True))

    def _next_id(self) -> str:
        return str(max((int(task.id) for task in self.tasks if task.id.isdecimal()), default=0) + 1)

    def replanned(self, tasks: Sequence[PlanTask]) -> "Plan":
        """The plan with `tasks` instead of those that a replan may replace."""
        return replace(self, tasks=checked((*self.lasting(), *tasks)), replans=self.replans + 1)

    def lasting(self) -> tuple[PlanTask, ...]:
        """Tasks that no replan removes: begun, struck, or added by the person."""
        return tuple(
            task
            for task in self.tasks
            if task.struck or task.wanted or task.state is not TaskState.PENDING
        )

    def closed(self) -> "Plan":
        """The ended plan: tasks that could not begin have failed."""
        return replace(self, tasks=tuple(self._closed(task) for task in self.tasks))

    def _closed(self, task: PlanTask) -> PlanTask:
        if task.settled:
            return replace(task, note=None)
        done = {one.id for one in self.tasks if one.state is TaskState.COMPLETED or one.struck}
        missing = ", ".join(one for one in task.depends_on if one not in done)
        reason = f"not begun: it needs task {missing}" if missing else "not begun"
        return replace(
            task, state=TaskState.FAILED, result=reason, failure=FailureKind.UNKNOWN, note=None
        )

    def reopened(self, task_id: str) -> "Plan":
        """The plan with a failed task, and the tasks that it blocked, pending again."""
        again = {task_id}
        while more := {task.id for task in self.tasks if _waited(task, again)} - again:
            again |= more
        fresh = {"state": TaskState.PENDING, "result": "", "failure": None, "note": None}
        return replace(
            self,
            tasks=tuple(
                replace(task, **fresh) if task.id in again else task for task in self.tasks
            ),
        )

    def to_json(self) -> JsonObject:
        return {
            "goal": self.goal,
            "replans": self.replans,
            "tasks": [asdict(task) for task in self.tasks],
        }

    @classmethod
    def from_json(cls, data: JsonObject) -> "Plan":
        return cls(data["goal"], tuple(_task(item) for item in data["tasks"]), data["replans"])


def _waited(task: PlanTask, needed: set[str]) -> bool:
    """Whether one of these tasks blocked it."""
    return (
        task.state is TaskState.FAILED
        and task.result.startswith("not begun")
        and bool(needed & {*task.depends_on})
    )


def _task(data: JsonObject) -> PlanTask:
    failure, note = data["failure"], data["note"]
    read: JsonObject = {
        "depends_on": tuple(data["depends_on"]),
        "tried": tuple(data["tried"]),
        "state": TaskState(data["state"]),
        "failure": None if failure is None else FailureKind(failure),
        "note": note and TaskNote(TaskActivity(note["kind"]), note["first"], note["second"]),
    }
    return PlanTask(**{**data, **read})


def checked(tasks: Iterable[PlanTask]) -> tuple[PlanTask, ...]:
    """Return the tasks if they form a valid plan. Raises ValueError with the remedy."""
    found = tuple(tasks)
    ids = [task.id for task in found]
    if twice := next((one for one in ids if ids.count(one) > 1), None):
        raise ValueError(f"two tasks have the id {twice}; give each its own")
    if len(found) > MOST_TASKS:
        raise ValueError(
            f"a plan has at most {MOST_TASKS} tasks and this one has {len(found)}; join some"
        )
    for task in found:
        if not task.description.strip():
            raise ValueError(f"task {task.id} has no description; say what is to come out of it")
        if unknown := next((one for one in task.depends_on if one not in ids), None):
            raise ValueError(f"task {task.id} depends on {unknown}, which is no task of this plan")
    if stuck := in_a_circle({task.id: task.depends_on for task in found}):
        raise ValueError(
            f"the tasks {', '.join(stuck)} wait for each other; take one dependency out"
        )
    return found


def in_a_circle(needs: Mapping[str, Sequence[str]]) -> list[str]:
    """The ids that can never begin, given the needs of each."""
    left = {one: set(needed) for one, needed in needs.items()}
    while free := [one for one, waits_for in left.items() if not waits_for & left.keys()]:
        for one in free:
            del left[one]
    return list(left)


FAILURES: Mapping[FailureKind, Phrase] = {
    FailureKind.TIMEOUT: Phrase("took too long"),
    FailureKind.RATE_LIMIT: Phrase("too many requests"),
    FailureKind.TRANSPORT: Phrase("no connection"),
    FailureKind.BAD_ARGUMENTS: Phrase("a call did not fit"),
    FailureKind.DENIED: Phrase("not allowed"),
    FailureKind.NOT_FOUND: Phrase("not found"),
    FailureKind.UNKNOWN: Phrase("failed", context="plan"),
}
NOTES: Mapping[TaskActivity, Phrase] = {
    TaskActivity.AGAIN: Phrase("trying again in a moment: {first}"),
    TaskActivity.SPLITTING: Phrase("splitting it into smaller tasks"),
    TaskActivity.SPLIT: Phrase("as {first} smaller tasks"),
    TaskActivity.INSTEAD: Phrase("with {first} instead of {second}"),
    TaskActivity.AROUND: Phrase("planning around it"),
    TaskActivity.TRY: Phrase("try {first} of {second}"),
}
STRUCK = Phrase("struck")
REPLACED = Phrase("replaced")


def note_said(note: TaskNote, language: Language) -> str:
    """The present activity of a task."""
    first = note.first
    if note.kind is TaskActivity.AGAIN:
        first = FAILURES[FailureKind(first)].said(language)
    return NOTES[note.kind].said(language, first=first, second=note.second)
