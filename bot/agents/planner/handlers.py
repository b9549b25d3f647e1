"""plan and recovery: give a goal to several agents at once, and continue after a failed task."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from bot.agents.arguments import PlannerArguments, RecoveryArguments
from bot.agents.delegation.dispatch import Dispatch, result_of
from bot.agents.delegation.specialists import Specialists
from bot.agents.loop.calls import ControlContext, control_tool, narrowing
from bot.agents.loop.outcomes import outcome_from_json, outcome_to_json
from bot.agents.loop.run import Run
from bot.agents.planner.reports import IN_PART, UNRESOLVED, report
from bot.agents.planner.running import RunningPlans
from bot.agents.planner.session import PERSONA, AdaptivePlannerSession, Drafting, Workers
from bot.agents.settings import AgentSettings
from bot.domain.agents import AgentDefinition, Brief, Runner, RunsIn, SpecialistReply
from bot.domain.chat import PlanShown
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.models import Usage
from bot.domain.origins import Origin, Trust
from bot.domain.plans import Plan, PlanTask, TaskState, checked
from bot.domain.tool_context import NativeTool
from bot.domain.tool_outcomes import (
    FactSaved,
    ForAsker,
    RunNote,
    ToolOutcome,
    ToolResult,
    Unlocked,
)
from bot.domain.tools import one_line
from bot.domain.turns import Recorded, Turn
from bot.errors import ToolError, raised_as

_PLAN = "plan"
"""The subject of the note of a plan as it ended, which `recovery` continues."""
PLANNER = "planner"
"""The agent that may plan even when called by another; others do the task they were given."""
DRAFT_TURNS = 3
_LEAST_TASKS = 3
"""Of a plan: with fewer, delegating costs more than it saves."""
_NO_WAY = {
    "alternative": "it names no tool to begin with, or there is no other one like it",
    "split": "it did not come apart into smaller tasks",
    "replan": "no other tasks came out, or the plan was changed as often as it may be",
}
"""Why a strategy of `recovery` led nowhere."""
_AT_ONCE = 4
"""Tasks of a plan that run at the same time: each is a run, and other people want to be served."""

Start = Callable[[AdaptivePlannerSession], Awaitable[None]]


@dataclass(frozen=True)
class Planner:
    """The two tools.

    `dispatch` and `runner` are those of delegation: a task is a delegation like any other.
    """

    dispatch: Dispatch
    runner: Runner[Run]
    specialists: Specialists
    running: RunningPlans
    clock: Clock
    settings: AgentSettings

    def tools(self) -> tuple[NativeTool[Any], ...]:
        return (
            control_tool("plan", PlannerArguments, self.plan, listed=False),
            control_tool("recovery", RecoveryArguments, self.recovery, listed=False),
        )

    async def plan(self, context: ControlContext, given: PlannerArguments) -> ToolOutcome:
        """Run a plan to its end.

        Raises ToolError for an invalid plan, or for a goal that is too small for one.
        """
        self._require_room(context.caller)
        work = _Work(self, context)
        if given.tasks:
            tasks = [
                PlanTask(
                    one.id,
                    one.description,
                    tuple(one.depends_on),
                    one.agent.removeprefix("agent_"),
                    one.tool,
                )
                for one in given.tasks
            ]
        else:
            tasks = list(await work.drafting(work.turn).tasks(given.goal))
        if len(tasks) < _LEAST_TASKS:
            raise ToolError(
                f"a plan needs at least {_LEAST_TASKS} tasks and this one has {len(tasks)}: each is"
                " a run of its own and costs accordingly. Do the work yourself, or call one agent"
            )
        with raised_as(ToolError, ValueError, about="plan"):
            plan = Plan(given.goal, checked(tasks))
        return await work.run(plan)

    async def recovery(self, context: ControlContext, given: RecoveryArguments) -> ToolOutcome:
        """Continue with a failed task of the last plan. Raises ToolError if there is none."""
        run = context.caller
        kept = run.record.noted(_PLAN)
        if not kept:
            raise ToolError(
                "there is no plan in this run; recovery works on a task of a plan that failed"
            )
        last = Plan.from_json(kept[-1])
        task = last.task(given.task_id)
        if task is None or task.state is not TaskState.FAILED:
            failed = [one.id for one in last.tasks if one.state is TaskState.FAILED]
            raise ToolError(
                f"task {given.task_id[:40]} is no failed task of this plan; failed: "
                f"{', '.join(failed) or 'none'}"
            )
        self._require_room(run)
        work = _Work(self, context)
        work.told = last.tasks
        if given.strategy == "abort":
            reason = f"given up: {given.reason}"
            given_up = replace(
                task, struck=True, state=TaskState.PENDING, failure=None, result=reason
            )
            return await work.run(last.reopened(task.id).put(given_up))
        again = given.strategy == "retry"
        plan = last if again else replace(last, replans=min(last.replans, 2))
        plan = plan.reopened(task.id)
        briefed = replace(
            task, description=f"{task.description}\nA first try failed. This time: {given.reason}"
        )
        if given.strategy == "retry":
            plan = plan.put(replace(briefed, state=TaskState.PENDING, result="", failure=None))
        reopened = replace(task, result=f"{task.result}\n{given.reason}")

        async def begin(session: AdaptivePlannerSession) -> None:
            match given.strategy:
                case "alternative":
                    found = session.use_alternative(briefed)
                case "split":
                    found = await session.split(reopened)
                case "replan":
                    session.plan = session.plan.put(reopened)
                    found = await session.replan(reopened)
                case _:
                    found = True
            if not found:
                raise ToolError(
                    f"task {task.id} can't be continued by {given.strategy}: "
                    f"{_NO_WAY[given.strategy]}. Look yourself, or abort it"
                )

        return await work.run(plan, begin)

    def _require_room(self, run: Run) -> None:
        if run.scope.depth and run.agent.name != PLANNER:
            raise ToolError("you were called for one task; do it yourself and make no plan of it")
        if run.scope.depth + 1 > self.settings.depth:
            raise ToolError(
                f"delegation is at its deepest level ({self.settings.depth}); do the work yourself"
            )

    # --- what a plan at work needs ---

    async def specialist(
        self, run: Run, task: PlanTask, brief: Brief, turn: Turn
    ) -> SpecialistReply | ToolResult:
        """The reply of a task's agent, or the reason why it can't be asked."""
        return await self.dispatch.deliver(task.agent, brief, run, turn)

    def specialists_of(self, run: Run) -> str:
        """A line for each specialist that is offered to a plan; unlisted ones cost more there."""
        return "\n".join(
            f"- {one.name}: {one_line(one.description)}"
            for one in self.dispatch.callable_by(run)
            if one.listed and one.name != run.agent.name
        )

    async def copy(
        self, run: Run, agent: AgentDefinition, brief: Brief, turn: Turn
    ) -> SpecialistReply:
        """The reply of a copy of the running agent, which delegates nothing."""
        copied = replace(agent, folders=(), specialists=(), runs_in=RunsIn.PROCESS)
        return await self.runner.run(copied, brief, run, turn)

    async def conduct(
        self, work: "_Work", plan: Plan, begin: Start | None
    ) -> AdaptivePlannerSession:
        """Run a session, where its person can see and change it."""
        turn, run = work.turn, work.run_
        running = self.running.begin(
            turn.session, turn.id, turn.prefix, plan, alone=lambda: run.for_asker
        )

        def show() -> None:
            running.tasks = session.tasks()
            work.run_.callbacks.live(PlanShown(plan.goal, running.tasks))

        workers = Workers(
            work.work,
            work.struck,
            work.learned,
            work.alternative,
            work.drafting,
            _AT_ONCE,
        )
        session = AdaptivePlannerSession(plan, work.turn, workers, self.clock, running, show)
        try:
            if begin is not None:
                await begin(session)
            await session.run()
        finally:
            self.running.end(running)
        return session


class _Work:
    """One call of plan or recovery: its person, and the findings and usage of its agents."""

    def __init__(self, planner: Planner, context: ControlContext) -> None:
        self.run_ = context.caller
        self.turn = context.turn.scope(context.call.key)
        self.told: tuple[PlanTask, ...] = ()
        """Tasks whose results the model already knows."""
        self._planner = planner
        self._facts: list[FactSaved] = []
        self._trust = context.origin.trust
        self._drafted = Trust.OPERATOR
        """The trust of tasks that a model drafted while it read the results of others."""
        self._used = Usage()
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._spent = self.run_.spending.nano_usd

    async def run(self, plan: Plan, begin: Start | None = None) -> ToolResult:
        session = await self._planner.conduct(self, plan, begin)
        spent = self.run_.spending.nano_usd - self._spent
        text = report(session.plan, session.tasks(), self._used, spent, self.told)
        failed = [task.state is TaskState.FAILED for task in session.plan.tasks]
        unlocked = self._recovery() if any(failed) and not all(failed) else ()
        return ToolResult(
            text,
            is_error=all(failed),
            origin=Origin(self._trust, "plan"),
            private=self.run_.context.private,
            effects=(
                *self._facts,
                RunNote(_PLAN, session.plan.to_json()),
                *unlocked,
                *narrowing(self.run_),
            ),
            summary=text.partition(". ")[0],
        )

    def _recovery(self) -> tuple[Unlocked, ...]:
        """The tool that the report of a failed task names, for the model to call next."""
        toolset = self.run_.toolset
        tool = toolset.find("recovery")
        if tool is None or toolset.is_callable(tool.name):
            return ()
        return (Unlocked((tool.declaration(),)),)

    async def work(self, turn: Turn, task: PlanTask, context: str, key: str) -> ToolResult:
        """Run one task as a step, so that a run after a crash decides by the same results."""
        begin = (
            f"{task.description}\nBegin with the tool {task.tool}."
            if task.tool
            else task.description
        )
        brief = Brief(begin, context, self._trust if context else self._drafted)

        async def ask() -> SpecialistReply | ToolResult:
            scope, planner = turn.scope(key), self._planner
            if not task.agent:
                return await planner.copy(self.run_, self.run_.agent, brief, scope)
            async with self._locks[task.agent]:  # one agent works on one task at a time
                return await planner.specialist(self.run_, task, brief, scope)

        return await self._asked(turn, key, task.agent, ask)

    async def struck(self, turn: Turn, task: PlanTask, key: str) -> None:
        await self._planner.specialists.struck(
            task.agent or self.run_.agent.name, self.run_, turn.scope(key)
        )

    async def _asked(
        self,
        turn: Turn,
        key: str,
        name: str,
        ask: Callable[[], Awaitable[SpecialistReply | ToolResult]],
    ) -> ToolResult:
        async def perform() -> Recorded:
            given = await ask()
            if isinstance(given, ToolResult):
                return Recorded({"outcome": outcome_to_json(given), "used": {}})
            result = _honest(result_of(given, name or self.run_.agent.name, self.run_), given)
            return Recorded(
                {"outcome": outcome_to_json(result), "used": given.reply.usage.to_json()}
            )

        value = cast("JsonObject", await turn.step(key, perform))
        used = Usage(**value["used"])
        self._used += used
        self.run_.budget.used += used
        return cast("ToolResult", outcome_from_json(value["outcome"]))

    def learned(self, result: ToolResult) -> None:
        self._trust = max(self._trust, result.origin.trust)
        for effect in result.effects:
            if isinstance(effect, FactSaved):
                self.run_.facts.save(effect.fact)
                self._facts.append(effect)
            elif isinstance(effect, ForAsker):
                self.run_.narrow()

    def alternative(self, task: PlanTask) -> str | None:
        """The best match for the task among this run's tools, without those that failed.

        It is near what the plan chose first, or else near what failed since.
        """
        if not task.tool:
            return None
        toolset, named = self.run_.toolset, [*task.tried, task.tool]
        known = {name: toolset.find(name) for name in named}
        failures = {*named, *(one.name for one in known.values() if one)}
        for name, failed in known.items():
            words = f"{failed.one_liner if failed else name.replace('_', ' ')} {task.title}"
            for one in toolset.search(None, words).nearest:
                if one.name not in failures:
                    return one.name
        return None

    def drafting(self, turn: Turn) -> Drafting:
        async def ask(key: str, brief: str) -> str:
            agent = replace(self.run_.agent, prompt=PERSONA, turns=DRAFT_TURNS)

            result = await self._asked(
                turn,
                key,
                agent.name,
                lambda: self._planner.copy(
                    self.run_, agent, Brief(brief, trust=self._trust), turn.scope(key)
                ),
            )
            self._trust = self._drafted = max(self._trust, result.origin.trust)
            if result.is_error:
                raise ToolError(f"no plan could be made: {result.content}")
            return result.content

        return Drafting(ask, self._planner.specialists_of(self.run_))


def _honest(result: ToolResult, given: SpecialistReply) -> ToolResult:
    """An agent that reports a failure has failed its task, whatever else its answer says."""
    if result.is_error or given.reply.status == "resolved":
        return result
    if given.reply.status == "partial":
        return replace(result, content=f"{IN_PART}{result.content}")
    return replace(result, content=f"{UNRESOLVED}{result.content}", is_error=True)
