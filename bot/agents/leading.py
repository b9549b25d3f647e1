"""What a tool may do in the run that called it: have agents work, call tools, show a checklist."""

import asyncio
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

from bot.agents.delegation.dispatch import Dispatch, result_of
from bot.agents.delegation.specialists import Specialists
from bot.agents.loop.calls import ControlContext, narrowing
from bot.agents.loop.outcomes import outcome_from_json, outcome_to_json
from bot.agents.loop.pipeline import UNKNOWN_OUTCOME, ToolPipeline
from bot.agents.loop.run import Run
from bot.agents.planner.orders_store import OrderKind
from bot.agents.planner.reports import RETRYABLE, cost, is_too_large, kind_of
from bot.agents.planner.running import RunningPlan, RunningPlans
from bot.domain.agents import Brief
from bot.domain.chat import PlanShown
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.models import Usage
from bot.domain.origins import Origin
from bot.domain.plans import Plan, PlanTask
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import Effect, FactSaved, ForAsker, RunNote, ToolResult
from bot.domain.tools import ToolCall
from bot.domain.turns import Recorded, StepFunction, Turn
from bot.plugin.agents import Worked
from bot.tools.permission.gate import Ask, Later


class RunChecklist:
    """Implements `bot.plugin.agents.Checklist`."""

    def __init__(self, run: Run, turn: Turn, running: RunningPlan) -> None:
        self._run = run
        self._turn = turn
        self._running = running
        self._wakes = 0

    def show(self, tasks: Sequence[PlanTask]) -> None:
        running = self._running
        running.tasks = tuple(tasks)
        running.plan = Plan(running.plan.goal, running.tasks)
        self._run.callbacks.live(PlanShown(running.plan.goal, running.tasks, grows=False))

    async def wake(
        self, work: Mapping[str, "asyncio.Task[Any]"]
    ) -> tuple[Sequence[str], Sequence[str]]:
        self._wakes += 1

        async def woken() -> Recorded:
            orders, taken = await self._running.happened(work.values())
            ended = [name for name, one in work.items() if one.done()]
            struck = [order.text for order in orders if order.kind is OrderKind.STRIKE]
            return Recorded({"ended": ended, "struck": struck}, taken)

        value = cast(
            "JsonObject", await self._turn.step(step_key(StepKind.WAKE, self._wakes), woken)
        )
        return value["ended"], value["struck"]


@dataclass(frozen=True)
class LeadingGround:
    """What every such run works with."""

    dispatch: Dispatch
    specialists: Specialists
    pipeline: ToolPipeline
    plans: RunningPlans


class LeadingRun:
    """Implements `bot.plugin.agents.AgentRun`."""

    def __init__(self, ground: LeadingGround, context: ToolContext) -> None:
        if not isinstance(context, ControlContext):
            raise TypeError(f"{context.call.name} was called outside of a run")
        self._ground = ground
        self._run = context.caller
        self._turn = context.turn.scope(context.call.key)
        self._used = Usage()
        self._spent = self._run.spending.nano_usd
        self._facts: list[FactSaved] = []

    @property
    def task(self) -> object:
        given = self._run.assignment
        return None if given is None else given.task

    @property
    def origin(self) -> Origin:
        return self._run.origin

    @property
    def effects(self) -> tuple[Effect, ...]:
        return (*self._facts, *narrowing(self._run))

    @property
    def cost(self) -> str:
        return cost(self._used, self._run.spending.nano_usd - self._spent)

    def noted(self, subject: str) -> Sequence[JsonValue]:
        return self._run.record.noted(subject)

    async def step(self, key: str, fn: StepFunction) -> JsonValue:
        return await self._turn.step(key, fn)

    async def work(
        self, key: str, agent: str, brief: Brief, judge: Callable[[str], str | None]
    ) -> Worked:
        async def perform() -> Recorded:
            given = await self._ground.dispatch.deliver(
                agent, brief, self._run, self._turn.scope(key)
            )
            if isinstance(given, ToolResult):
                return Recorded({"outcome": outcome_to_json(given), "used": {}})
            result = result_of(given, agent, self._run)
            result = replace(result, effects=(*result.effects, *given.notes))
            lacking = None if result.is_error else judge(result.content)
            unit = Unit() if lacking is None else self.judged(key, agent, lacking)
            used = given.reply.usage.to_json()
            return Recorded({"outcome": outcome_to_json(result), "used": used}, unit)

        value = cast("JsonObject", await self._turn.step(key, perform))
        used = Usage(**value["used"])
        self._used += used
        self._run.budget.used += used
        return self._learned(cast("ToolResult", outcome_from_json(value["outcome"])))

    def _heed(self, result: ToolResult) -> None:
        """What such a result brings holds for the run, too."""
        self._facts += [one for one in result.effects if isinstance(one, FactSaved)]
        if any(isinstance(one, ForAsker) for one in result.effects):
            self._run.narrow()

    def _learned(self, result: ToolResult) -> Worked:
        self._heed(result)
        text, failed = result.content, result.is_error
        passing = failed and (is_too_large(text) or kind_of(text) in RETRYABLE)
        notes = tuple(one for one in result.effects if isinstance(one, RunNote))
        return Worked(text, failed, passing, result.origin.trust, notes)

    def judged(self, key: str, agent: str, lacking: str) -> Unit:
        scope = self._turn.scope(key)
        return self._ground.specialists.judged(agent, self._run, scope, lacking)

    async def struck(self, key: str, agent: str) -> None:
        await self._ground.specialists.struck(agent, self._run, self._turn.scope(key))

    async def call(self, key: str, tool: str, arguments: JsonObject) -> ToolResult:
        for tried in (key, step_key(StepKind.AGAIN, within=key)):
            scope = self._turn.scope(tried)
            call = ToolCall(scope.prefix, tool, arguments, step_key(StepKind.TOOL, "1.0"))
            if not scope.done(call.key) and self._would_ask(call):
                return ToolResult("not done: it needs somebody's yes here", is_error=True)
            result = (await self._ground.pipeline.run(self._run, scope, call)).outcome
            if isinstance(result, ToolResult) and result.content != UNKNOWN_OUTCOME:
                self._heed(result)
                return result
        return ToolResult("not done: it was interrupted twice", is_error=True)

    def _would_ask(self, call: ToolCall) -> bool:
        run = self._run
        verdict = self._ground.pipeline.gate.check(
            call, run.toolset, run.live_scope(), context=run.provenance
        )
        return isinstance(verdict, Ask | Later)

    @contextmanager
    def checklist(self, goal: str) -> Generator[RunChecklist]:
        plans, turn = self._ground.plans, self._turn
        running = plans.begin(
            turn.session,
            turn.id,
            turn.prefix,
            Plan(goal, ()),
            alone=lambda: self._run.for_asker,
            grows=False,
        )
        try:
            yield RunChecklist(self._run, turn, running)
        finally:
            plans.end(running)
