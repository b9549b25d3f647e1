"""The plans and batches of ants that run right now, for the people whom they belong to."""

import asyncio
from collections.abc import Sequence

from bot.agents.planner import orders_store
from bot.agents.planner.orders_store import Order
from bot.domain.database import Database, Unit
from bot.domain.plans import Plan, PlanTask


class RunningPlan:
    """One running plan: its current state, and the orders that it hasn't taken yet."""

    def __init__(
        self,
        database: Database,
        session: str,
        turn: int,
        scope: str,
        plan: Plan,
        *,
        grows: bool = True,
    ) -> None:
        self.session = session
        self.turn = turn
        self.scope = scope
        self.plan = plan
        self.tasks: tuple[PlanTask, ...] = plan.tasks
        """Including those of sub-plans."""
        self.parts: dict[str, RunningPlan] = {}
        """Sub-plans, by the id of the split task."""
        self.over = False
        """Whether it takes no more orders."""
        self.grows = grows
        """Whether tasks can be added."""
        self._database = database
        self._bell = asyncio.Event()

    def part(self, task_id: str, scope: str, plan: Plan) -> "RunningPlan":
        """Begin the sub-plan of a task. It takes orders of its own."""
        self.parts[task_id] = RunningPlan(self._database, self.session, self.turn, scope, plan)
        return self.parts[task_id]

    def find(self, task_id: str) -> "tuple[RunningPlan, PlanTask] | None":
        """A task by its displayed id, such as `2.1` for a part of task 2, and its running plan."""
        if task := self.plan.task(task_id):
            return self, task
        whole, _, part = task_id.partition(".")
        return self.parts[whole].find(part) if whole in self.parts else None

    async def rung(self) -> None:
        """Wait until an order arrives after the last look."""
        await self._bell.wait()

    def ring(self) -> None:
        self._bell.set()

    async def orders(self, *, last: bool) -> tuple[Sequence[Order], Unit]:
        """The orders since the last look, and the writes that take them.

        A `last` look that finds none ends the plan's orders.
        """
        self._bell.clear()
        orders, taken = await orders_store.waiting(self._database, self.turn, self.scope)
        self.over = last and not orders
        return orders, taken


class RunningPlans:
    """All plans that run in this process.

    After a crash a plan returns here as soon as its turn resumes.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._plans: list[RunningPlan] = []

    def begin(
        self, session: str, turn: int, scope: str, plan: Plan, *, grows: bool = True
    ) -> RunningPlan:
        running = RunningPlan(self._database, session, turn, scope, plan, grows=grows)
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
