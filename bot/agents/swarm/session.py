"""SwarmSession: the ants of one batch; each starts when its dependencies are verified.

No more run at once than allowed. Which ants had ended at each wake is a step, so that a run after a
crash starts the same ants with the same briefs.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import cast

from bot.agents.planner.orders_store import OrderKind
from bot.agents.planner.running import RunningPlan
from bot.agents.swarm.swarms import AntState, AntTask, Swarm, ready
from bot.agents.swarm.worker import AntEnd
from bot.domain.json_types import JsonObject
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, Turn


@dataclass(frozen=True)
class Ants:
    """The actions that a session leaves to others."""

    begin: "Callable[[AntTask, Swarm, dict[str, AntEnd]], asyncio.Task[AntEnd]]"
    """Makes the work of an ant from the swarm and the ends so far."""
    struck: Callable[[AntTask], Awaitable[None]]
    """Called when a running ant was cancelled because the person struck it."""
    show: Callable[[dict[str, AntState]], None]


class SwarmSession:
    """One batch at work. The person may strike ants by orders to `running`."""

    def __init__(
        self,
        swarm: Swarm,
        tasks: Sequence[AntTask],
        turn: Turn,
        ants: Ants,
        parallel: int,
        running: RunningPlan,
    ) -> None:
        self.swarm = swarm
        self.ends: dict[str, AntEnd] = {}
        self._tasks = tuple(tasks)
        self._turn = turn
        self._ants = ants
        self._parallel = parallel
        self._running = running
        self._states = {task.id: AntState.WAITING for task in tasks}
        self._work: dict[str, asyncio.Task[AntEnd]] = {}
        self._wakes = 0
        self._probing = swarm.broken and len(self._tasks) == 1

    async def run(self) -> None:
        """Run until no ant may begin any more; `ends` and `swarm` have the results.

        Raises what the loop raises.
        """
        try:
            while True:
                self._begin_ready()
                ended, struck = await self._wake()
                for ant in struck:
                    await self._strike(ant)
                for ant in ended:
                    if ant in self._work:
                        self._settle(await self._work.pop(ant))
                if not (ended or struck or self._work):
                    break
        finally:
            for work in self._work.values():
                work.cancel()
            if self._work:
                await asyncio.wait(self._work.values())

    def waits_for(self, task: AntTask) -> tuple[str, ...]:
        """The ants that a task needed and that were not verified."""
        return tuple(one for one in task.depends_on if not self._states[one].met)

    def was_struck(self, task: AntTask) -> bool:
        return self._states[task.id] is AntState.STRUCK

    def _begin_ready(self) -> None:
        if not self.swarm.broken or self._probing:
            for task in ready(self._tasks, self._states)[
                : max(0, self._parallel - len(self._work))
            ]:
                self._states[task.id] = AntState.AT_WORK
                self._work[task.id] = self._ants.begin(task, self.swarm, dict(self.ends))
        self._ants.show(dict(self._states))

    async def _wake(self) -> tuple[list[str], list[str]]:
        """Wait until an ant ends or the person strikes one; returns both groups."""
        self._wakes += 1

        async def woken() -> Recorded:
            if self._work:
                bell = asyncio.create_task(self._running.rung())
                try:
                    await asyncio.wait(
                        {*self._work.values(), bell}, return_when=asyncio.FIRST_COMPLETED
                    )
                finally:
                    bell.cancel()
            orders, taken = await self._running.orders(last=not self._work)
            ended = [ant for ant, work in self._work.items() if work.done()]
            struck = [order.text for order in orders if order.kind is OrderKind.STRIKE]
            return Recorded({"ended": ended, "struck": struck}, taken)

        value = cast(
            "JsonObject", await self._turn.step(step_key(StepKind.WAKE, self._wakes), woken)
        )
        return value["ended"], value["struck"]

    async def _strike(self, ant: str) -> None:
        """Remove an ant; a running one is cancelled."""
        task = next((task for task in self._tasks if task.id == ant), None)
        if task is None or self._states[ant] not in {AntState.WAITING, AntState.AT_WORK}:
            return
        if (work := self._work.pop(ant, None)) is not None:
            work.cancel()
            await asyncio.wait([work])
            await self._ants.struck(task)
        self._states[ant] = AntState.STRUCK

    def _settle(self, end: AntEnd) -> None:
        self.ends[end.task.id] = end
        self._states[end.task.id] = (
            AntState.VERIFIED
            if end.accepted
            else AntState.FAULTS
            if end.verified
            else AntState.FAILED
        )
        self.swarm = self.swarm.ended(end.verified, end.discoveries)
