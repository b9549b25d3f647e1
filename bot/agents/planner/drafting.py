"""Asks a model for a plan's tasks: first, after a failure, or to split a large task."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from bot.domain.plans import Plan, PlanTask, TaskState, checked
from bot.domain.step_keys import StepKind, step_key
from bot.errors import ToolError
from bot.memory.json_answer import read_answer

PERSONA = """You make and mend plans. You carry nothing out. Another program reads your answer.

Answer with one JSON object and nothing else: \
{"tasks": [{"id", "description", "depends_on", "agent", "tool"}]}.

- description: the whole brief of one task. Who does it sees that, \
and the results of the tasks it depends on.
- depends_on: ids of tasks whose results it needs. Tasks that need nothing \
of each other run at the same time.
- agent: one of the specialists named below, where its line fits; else leave it out, and a copy \
of who planned does the task.
- tool: the tool to begin with, if you know it; else leave it out.

A task finds out, compares, works out or drafts, and its result is text. None can post, mail, ask \
a person, or change todos, documents and schedules: make no task of that; who planned does it with \
the results. Use as few tasks as do it. Plan only with agents and tools that exist."""

RESULT_CHARS = 600


def _without_dots(task_id: object) -> object:
    """A dot separates a task from its part, so no id contains one.

    Models like to number parts 1.1 and 1.2.
    """
    return str(task_id).replace(".", "-") if isinstance(task_id, str | int | float) else task_id


_TaskId = Annotated[str, BeforeValidator(_without_dots), Field(min_length=1, max_length=20)]


class _Draft(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)

    id: _TaskId
    description: str = Field(min_length=1)
    depends_on: tuple[_TaskId, ...] = ()
    agent: str | None = None
    tool: str | None = None

    def task(self) -> PlanTask:
        agent = (self.agent or "").removeprefix("agent_")
        return PlanTask(self.id, self.description, self.depends_on, agent, self.tool or "")


class _Drafts(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    tasks: tuple[_Draft, ...]


Ask = Callable[[str, str], Awaitable[str]]
"""Returns a model's answer to a brief; the first argument is the key of the step.

Raises ToolError without an answer.
"""


@dataclass(frozen=True)
class Drafting:
    """Briefs the model and reads its answer; after an unreadable one, asks again with the error."""

    ask: Ask
    specialists: str = ""
    """A line for each specialist that may do a task."""

    async def tasks(self, goal: str) -> tuple[PlanTask, ...]:
        """The first tasks of a plan. Raises ToolError."""
        brief = f"Make a plan for this goal: {goal}"
        return await self._read(step_key(StepKind.DRAFT), brief, ())

    async def parts(self, plan: Plan, task: PlanTask) -> tuple[PlanTask, ...]:
        """The tasks of a sub-plan that together do a task. Raises ToolError."""
        brief = (
            f"This task was too large for one run. Split it into 2 to 4 smaller tasks that "
            f"together do it.\n"
            f"Task: {task.description}\nIt is part of this goal: {plan.goal}\nWhy it ended: "
            f"{task.result}"
        )
        return await self._read(step_key(StepKind.SPLIT, task.id), brief, ())

    async def instead(self, plan: Plan, task: PlanTask) -> tuple[PlanTask, ...]:
        """New tasks in place of everything pending.

        Raises ToolError; empty: nothing more can be done.
        """
        brief = (
            "A task of a plan failed. Give the tasks that are to be done instead of it and of "
            "everything that is Pending: what you keep of it, give again in full. Give no task "
            "for what is Completed, InProgress, struck or wanted by the person. New ids; "
            "depends_on may also name tasks that are Completed or InProgress."
            f' If the goal can\'t be met without the failed task, answer {{"tasks": []}}.\n'
            f"Goal: {plan.goal}\nFailed: {task.id} ({task.failure}): "
            f"{task.result}\n\n{_standing(plan)}"
        )
        return await self._read(step_key(StepKind.REPLAN, plan.replans + 1), brief, plan.lasting())

    async def _read(self, key: str, brief: str, kept: tuple[PlanTask, ...]) -> tuple[PlanTask, ...]:
        brief += f"\n\nSpecialists:\n{self.specialists}" if self.specialists else ""
        found = _tasks_in(await self.ask(key, brief), kept)
        if isinstance(found, str):
            again = (
                f"{brief}\n\nYour answer before could not be used: {found}. Answer with the JSON "
                "object alone."
            )
            found = _tasks_in(await self.ask(step_key(StepKind.AGAIN, within=key), again), kept)
        if isinstance(found, str):
            raise ToolError(f"no plan could be made: {found}")
        return found


def _tasks_in(answer: str, kept: tuple[PlanTask, ...]) -> tuple[PlanTask, ...] | str:
    """The tasks in an answer, or its mistake in words."""
    found = read_answer(answer, _Drafts)
    if isinstance(found, str):
        return found
    tasks = tuple(draft.task() for draft in found.tasks)
    try:
        checked((*kept, *tasks))
    except ValueError as error:
        return str(error)
    return tasks


def _standing(plan: Plan) -> str:
    """Every task; a task that may be planned anew, with everything needed to repeat it."""
    lasting = plan.lasting()
    return "\n".join(_line(task, whole=task not in lasting) for task in plan.tasks)


def _line(task: PlanTask, *, whole: bool) -> str:
    words = task.description[:RESULT_CHARS] if whole else task.title
    more = f" (needs {', '.join(task.depends_on)})" if whole and task.depends_on else ""
    more += f" (agent {task.agent})" if whole and task.agent else ""
    result = f"\n   {' '.join(task.result.split())[:RESULT_CHARS]}" if task.result else ""
    return f"{task.id}. [{_state(task)}] {words}{more}{result}"


def _state(task: PlanTask) -> str:
    if task.struck:
        return "struck"
    return (
        "wanted by the person"
        if task.wanted and task.state is TaskState.PENDING
        else str(task.state)
    )
