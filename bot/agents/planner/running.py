"""The plans and batches of ants that run right now, for the people whom they belong to."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.agents.planner import orders_store
from bot.agents.planner.orders_store import Order
from bot.domain.database import Database, Unit
from bot.domain.plans import Plan, PlanTask


def _called(tasks: Mapping[str, PlanTask], said: str) -> PlanTask | None:
    """The task of this name, in another case only where that means one."""
    alike = [task for name, task in tasks.items() if name.casefold() == said.casefold()]
    return tasks.get(said) or (alike[0] if len(alike) == 1 else None)


@dataclass(eq=False)
class RunningPlan:
    """One running plan: its current state, and the orders that it hasn't taken yet."""

    database: Database
    session: str
    turn: int
    scope: str
    plan: Plan
    alone: Callable[[], bool] = field(default=lambda: False, kw_only=True)
    """Whether it holds by now what its person alone may know, where others read."""
    grows: bool = field(default=True, kw_only=True)
    """Whether tasks can be added."""

    def __post_init__(self) -> None:
        self.tasks: tuple[PlanTask, ...] = self.plan.tasks
        """Including those of sub-plans."""
        self.parts: dict[str, RunningPlan] = {}
        """Sub-plans, by the id of the split task."""
        self.over = False
        """Whether it takes no more orders."""
        self._bell = asyncio.Event()

    def part(self, task_id: str, scope: str, plan: Plan) -> "RunningPlan":
        """Begin the sub-plan of a task. It takes orders of its own."""
        self.parts[task_id] = RunningPlan(self.database, self.session, self.turn, scope, plan)
        return self.parts[task_id]

    def find(self, task_id: str) -> "tuple[RunningPlan, PlanTask] | None":
        """A task by what its person sees, such as `2.1` for a part of task 2; and its running plan.

        A number is the place in the list where no task has a number.
        """
        called = {task.id: task for task in self.plan.tasks}
        if not any(one[:1].isdecimal() for one in called):
            called |= {str(place): task for place, task in enumerate(self.plan.tasks, 1)}
        if task := _called(called, task_id):
            return self, task
        name, _, part = task_id.partition(".")
        whole = _called(called, name)
        split = None if whole is None else self.parts.get(whole.id)
        return None if split is None else split.find(part)

    def ring(self) -> None:
        self._bell.set()

    async def happened(self, work: Collection["asyncio.Task[Any]"]) -> tuple[Sequence[Order], Unit]:
        """Wait until some of this work ends or an order comes.

        Returns the orders since the last time, and the writes that take them. Without work it
        doesn't wait, and finding none ends the plan's orders.
        """
        if work:
            bell = asyncio.create_task(self._bell.wait())
            try:
                await asyncio.wait({*work, bell}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                bell.cancel()
        self._bell.clear()
        orders, taken = await orders_store.waiting(self.database, self.turn, self.scope)
        self.over = not work and not orders
        return orders, taken


class RunningPlans:
    """All plans that run in this process.

    After a crash a plan returns here as soon as its turn resumes.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._plans: list[RunningPlan] = []

    def begin(
        self,
        session: str,
        turn: int,
        scope: str,
        plan: Plan,
        *,
        alone: Callable[[], bool] = lambda: False,
        grows: bool = True,
    ) -> RunningPlan:
        running = RunningPlan(self._database, session, turn, scope, plan, alone=alone, grows=grows)
        self._plans.append(running)
        return running

    def end(self, running: RunningPlan) -> None:
        running.over = True
        self._plans.remove(running)

    def of(self, session: str) -> RunningPlan | None:
        """The plan that runs for this session; the newest if an agent nested one inside another."""
        return next((plan for plan in reversed(self._plans) if plan.session == session), None)

    async def order(self, running: RunningPlan, key: str, order: Order) -> bool:
        """Give an order to a plan, durably. False: the plan ended before it could take it."""
        await self._database.write(
            Unit.of(orders_store.insert(key, running.turn, running.scope, order))
        )
        running.ring()
        return not running.over
