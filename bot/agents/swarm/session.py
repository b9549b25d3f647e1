"""SwarmSession: the ants of one batch, each begun when what it needs is verified, never more than fit.

Which ants had ended at each wake is a step, so that a run after a crash begins the same ants with the same briefs.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import cast

from bot.agents.swarm.worker import AntEnd
from bot.domain.swarms import AntState, AntTask, Swarm, ready
from bot.domain.turns import Recorded, Turn


class SwarmSession:
    """One batch at work. `begin` makes the work of an ant, given the swarm and the ends that there are by then."""

    def __init__(
        self,
        swarm: Swarm,
        tasks: Sequence[AntTask],
        turn: Turn,
        begin: "Callable[[AntTask, Swarm, dict[str, AntEnd]], asyncio.Task[AntEnd]]",
        parallel: int,
        show: Callable[[dict[str, AntState]], None],
    ) -> None:
        self.swarm = swarm
        self.ends: dict[str, AntEnd] = {}
        self._tasks = tuple(tasks)
        self._turn = turn
        self._begin = begin
        self._parallel = parallel
        self._show = show
        self._states = {task.id: AntState.WAITING for task in tasks}
        self._work: dict[str, asyncio.Task[AntEnd]] = {}
        self._wakes = 0
        self._probing = swarm.broken and len(self._tasks) == 1

    async def run(self) -> None:
        """Run until nothing is left that may begin; `ends` and `swarm` tell how. Raises what the loop raises."""
        try:
            while True:
                self._begin_ready()
                if not self._work:
                    break
                for ant in await self._wake():
                    self._settle(await self._work.pop(ant))
        finally:
            for work in self._work.values():
                work.cancel()
            if self._work:
                await asyncio.wait(self._work.values())

    def waits_for(self, task: AntTask) -> tuple[str, ...]:
        """The ants that a task needed and that were not verified."""
        return tuple(one for one in task.depends_on if self._states[one] is not AntState.VERIFIED)

    def _begin_ready(self) -> None:
        if not self.swarm.broken or self._probing:
            for task in ready(self._tasks, self._states)[: max(0, self._parallel - len(self._work))]:
                self._states[task.id] = AntState.AT_WORK
                self._work[task.id] = self._begin(task, self.swarm, dict(self.ends))
        self._show(dict(self._states))

    async def _wake(self) -> list[str]:
        self._wakes += 1

        async def woken() -> Recorded:
            await asyncio.wait(self._work.values(), return_when=asyncio.FIRST_COMPLETED)
            return Recorded([ant for ant, work in self._work.items() if work.done()])

        return cast("list[str]", await self._turn.step(f"wake:{self._wakes}", woken))

    def _settle(self, end: AntEnd) -> None:
        self.ends[end.task.id] = end
        self._states[end.task.id] = AntState.VERIFIED if end.verified else AntState.FAILED
        self.swarm = self.swarm.ended(end.verified, end.discoveries)
