"""AdaptivePlannerSession: runs independent tasks in parallel, and repairs a failing plan.

The order of events is recorded at each wake, so that a run after a crash makes the same decisions.
Finished work is not repeated. A model is asked for the tasks: first, after a failure, or to split a
large task.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from bot.agents.planner.orders_store import Order, OrderKind
from bot.agents.planner.reports import RETRYABLE, is_too_large, kind_of
from bot.agents.planner.running import RunningPlan
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.plans import FailureKind, Plan, PlanTask, TaskActivity, TaskNote, TaskState, checked
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_outcomes import ToolResult
from bot.domain.turns import Recorded, Turn
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


RETRIES = 2
BACK_OFF_S = (2.0, 8.0)
REPLANS = 3
CONTEXT_CHARS = 6000
"""Characters of earlier results that a task receives, cut evenly."""


@dataclass(frozen=True)
class Workers:
    """The actions that a session leaves to others."""

    work: Callable[[Turn, PlanTask, str, str], Awaitable[ToolResult]]
    """Runs a task as a step (turn, task, context, key)."""
    struck: Callable[[Turn, PlanTask, str], Awaitable[None]]
    """Called when a task was cancelled because it was struck (turn, task, key of its last step)."""
    learned: Callable[[ToolResult], None]
    """Takes the findings of a finished task before anything begins that could use them."""
    alternative: Callable[[PlanTask], str | None]
    """The name of another tool with a similar ability."""
    drafting: Callable[[Turn], Drafting]
    parallel: int
    """Tasks that may run at the same time."""


@dataclass
class AdaptivePlannerSession:
    """One running plan. `parent` is the task for which this is the sub-plan."""

    plan: Plan
    turn: Turn
    workers: Workers
    clock: Clock
    running: RunningPlan
    show: Callable[[], None]
    parent: str = ""
    _work: dict[str, asyncio.Task[ToolResult]] = field(
        default_factory=dict[str, asyncio.Task[ToolResult]]
    )
    _parts: "dict[str, AdaptivePlannerSession]" = field(
        default_factory=dict[str, "AdaptivePlannerSession"]
    )
    _tried: dict[str, int] = field(default_factory=dict[str, int])
    _wakes: int = 0

    async def run(self) -> Plan:
        """Run until no task is left that can run; returns the final plan with partial results."""
        try:
            while True:
                self._begin_ready()
                settled, orders = await self._wake()
                for order in orders:
                    await self._obey(order)
                for task_id in settled:
                    await self._settle(task_id)
                if not (settled or orders or self._work):
                    break
        finally:
            await self._cancel(*self._work)
            self.running.over = True
        self.plan = self.plan.closed()
        self._shown()
        return self.plan

    def tasks(self) -> tuple[PlanTask, ...]:
        """All tasks in order, with those of a sub-plan behind their task."""
        found: list[PlanTask] = []
        for task in self.plan.tasks:
            found.append(task)
            if parts := self._parts.get(task.id):
                found += [replace(part, id=f"{task.id}.{part.id}") for part in parts.tasks()]
        return tuple(found)

    # --- beginning and waiting ---

    def _begin_ready(self) -> None:
        for task in self.plan.ready()[: max(0, self.workers.parallel - len(self._work))]:
            self._put(replace(task, state=TaskState.IN_PROGRESS))
            self._work[task.id] = asyncio.create_task(
                self._attempts(task), name=f"task {task.id} of a plan"
            )
        self._shown()

    async def _wake(self) -> tuple[Sequence[str], Sequence[Order]]:
        """Wait for the next event. A replay sees the same events in the same order."""
        self._wakes += 1

        async def woken() -> Recorded:
            orders, taken = await self.running.happened(self._work.values())
            done = [task_id for task_id, work in self._work.items() if work.done()]
            return Recorded(
                {"settled": done, "orders": [order.to_json() for order in orders]}, taken
            )

        value = cast(
            "JsonObject", await self.turn.step(step_key(StepKind.WAKE, self._wakes), woken)
        )
        return value["settled"], [Order.from_json(order) for order in value["orders"]]

    async def _attempts(self, task: PlanTask) -> ToolResult:
        """Run a task, and retry with back-off while its failure may be temporary."""
        number = 0
        while True:
            self._tried[task.id] = self._tried.get(task.id, 0) + 1
            key = step_key(StepKind.TASK, f"{task.id}.{self._tried[task.id]}")
            result = await self.workers.work(self.turn, task, self._context(task), key)
            passing = kind_of(result.content) in RETRYABLE and not is_too_large(result.content)
            if not result.is_error or not passing or number == RETRIES:
                return result
            self._note(task.id, TaskNote(TaskActivity.AGAIN, kind_of(result.content)))
            again = step_key(StepKind.TASK, f"{task.id}.{self._tried[task.id] + 1}")
            if not (self.turn.done(again) or self.turn.done(step_key(StepKind.OPEN, within=again))):
                await self.clock.sleep(BACK_OFF_S[number])
            number += 1

    def _context(self, task: PlanTask) -> str:
        """The results that a task builds on."""
        found = [
            one
            for name in task.depends_on
            if (one := self.plan.task(name)) and one.result and not one.struck
        ]
        share = CONTEXT_CHARS // max(1, len(found))
        return "\n\n".join(
            f"Result of task {one.id} ({one.title}):\n{one.result[:share]}" for one in found
        )

    # --- what happened ---

    async def _settle(self, task_id: str) -> None:
        result = await self._work.pop(task_id)
        self.workers.learned(result)
        task = self.plan.task(task_id)
        if task is None or task.struck:
            return
        sub = self._parts.get(task_id)
        if not result.is_error:
            self._put(
                replace(
                    task, state=TaskState.COMPLETED, result=result.content, failure=None, note=None
                )
            )
        elif sub and all(part.struck for part in sub.plan.tasks):
            self._put(replace(task, struck=True, state=TaskState.PENDING, note=None))
        else:
            kind = sub.failure() if sub else kind_of(result.content)
            await self._repair(
                replace(
                    task, state=TaskState.FAILED, result=result.content, failure=kind, note=None
                )
            )

    def failure(self) -> FailureKind | None:
        """The category of the first task that failed."""
        return next(
            (task.failure for task in self.plan.tasks if task.failure and not task.struck), None
        )

    async def _repair(self, task: PlanTask) -> None:
        """Find another way for a failed task: smaller parts, another tool, another plan.

        Without one it stays failed.
        """
        self._put(task)
        if task.id not in self._parts:
            if is_too_large(task.result) and await self.split(task):
                return
            if (
                task.failure is not FailureKind.DENIED
                and not task.tried
                and self.use_alternative(task)
            ):
                return
        await self.replan(task)

    async def split(self, task: PlanTask) -> bool:
        """Continue a task as a sub-plan of its own; a part is not split again.

        False: there is no way.
        """
        if self.parent or task.id in self._parts:
            return False
        self._note(task.id, TaskNote(TaskActivity.SPLITTING))
        try:
            parts = await self.workers.drafting(self.turn).parts(self.plan, task)
        except ToolError:
            return False
        if not parts:
            return False
        plan, turn = (
            Plan(task.description, parts, REPLANS),
            self.turn.scope(step_key(StepKind.SUB, task.id)),
        )
        running = self.running.part(task.id, turn.prefix, plan)
        sub = AdaptivePlannerSession(
            plan, turn, self.workers, self.clock, running, self.show, task.id
        )
        self._parts[task.id] = sub
        note = TaskNote(TaskActivity.SPLIT, str(len(parts)))
        self._put(replace(task, state=TaskState.IN_PROGRESS, result="", failure=None, note=note))
        self._work[task.id] = asyncio.create_task(
            _as_result(sub), name=f"sub-plan of task {task.id}"
        )
        return True

    def use_alternative(self, task: PlanTask) -> bool:
        """Try a task once more with a similar tool.

        False: there is none that it did not begin with.
        """
        if (other := self.workers.alternative(task)) is None:
            return False
        note = TaskNote(TaskActivity.INSTEAD, other, task.tool)
        again = replace(
            task, state=TaskState.PENDING, tool=other, tried=(*task.tried, task.tool), note=note
        )
        self._put(replace(again, result="", failure=None))
        return True

    async def replan(self, task: PlanTask) -> bool:
        """Have the remaining tasks planned anew around a failed one. False: it stays failed."""
        if self.plan.replans >= REPLANS:
            return False
        self._note(task.id, TaskNote(TaskActivity.AROUND))
        try:
            tasks = await self.workers.drafting(self.turn).instead(self.plan, task)
            self.plan = (
                self.plan.replanned(tasks)
                if tasks
                else replace(self.plan, replans=self.plan.replans + 1)
            )
        except (ToolError, ValueError):
            self.plan = replace(self.plan, replans=REPLANS)
            return False
        finally:
            self._note(task.id, None)
        return bool(tasks)

    # --- what the person wants ---

    async def _obey(self, order: Order) -> None:
        match order.kind:
            case OrderKind.STRIKE:
                await self.strike(order.text)
            case OrderKind.ADD:
                try:
                    self.plan = self.plan.added(order.text)
                except ValueError:
                    return  # the command already said so
        self._shown()

    async def strike(self, task_id: str) -> None:
        """Remove a task from the plan; a running one is cancelled.

        Tasks that needed it continue without its result.
        """
        task = self.plan.task(task_id)
        if task is None or task.settled:
            return
        await self._cancel(task_id)
        self._work.pop(task_id, None)
        if sub := self._parts.get(task_id):
            for part in sub.plan.tasks:
                await sub.strike(part.id)
        elif tries := self._tried.get(task_id):
            await self.workers.struck(
                self.turn, task, step_key(StepKind.TASK, f"{task_id}.{tries}")
            )
        self._put(replace(task, struck=True, state=TaskState.PENDING, note=None))

    async def _cancel(self, *task_ids: str) -> None:
        work = [self._work[task_id] for task_id in task_ids if task_id in self._work]
        for one in work:
            one.cancel()
        await asyncio.gather(*work, return_exceptions=True)

    # --- the state ---

    def _put(self, task: PlanTask) -> None:
        self.plan = self.plan.put(task)
        self._shown()

    def _shown(self) -> None:
        self.running.plan = self.plan
        self.show()

    def _note(self, task_id: str, note: TaskNote | None) -> None:
        if task := self.plan.task(task_id):
            self._put(replace(task, note=note))


async def _as_result(sub: AdaptivePlannerSession) -> ToolResult:
    plan = await sub.run()
    done = any(task.state is TaskState.COMPLETED for task in plan.tasks) and sub.failure() is None
    text = "\n\n".join(f"{task.title}:\n{task.result}" for task in plan.tasks if task.result)
    return ToolResult(text, is_error=not done)
