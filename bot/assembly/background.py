"""Background tasks: which processes run them, and which run in only one process."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.processes import Locks, Processes, ProcessRole
from bot.errors import StorageError

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
"""Seconds between two tries to take over the tasks of another process."""


class Where(StrEnum):
    """The processes that run a task, by role; a process with both roles runs all tasks."""

    EVERYWHERE = "everywhere"
    GATEWAY = "gateway"
    TURNS = "turns"

    def includes(self, role: ProcessRole) -> bool:
        """Whether a process of this role runs the task."""
        return self is Where.EVERYWHERE or role in {ProcessRole.BOTH, ProcessRole(self.value)}


@dataclass(frozen=True)
class ProcessTask:
    """Runs until cancelled, or until it fails for good.

    `once`: only one of the processes in `where` runs it at a time.
    """

    run: Callable[[], Awaitable[None]]
    where: Where
    once: bool = False


def of_this_process(
    tasks: Sequence[ProcessTask], processes: Processes | None
) -> list[Callable[[], Awaitable[None]]]:
    """The tasks that this process runs; all of them if it has the database alone."""
    if processes is None:
        return [task.run for task in tasks]
    mine = [task for task in tasks if task.where.includes(processes.role)]
    alone = [
        InOneProcess(
            f"tasks:{where}", [task.run for task in mine if task.once and task.where is where],
            processes.locks,
        ).run
        for where in Where
        if any(task.once and task.where is where for task in mine)
    ]  # fmt: skip
    return [*(task.run for task in mine if not task.once), *alone]


@dataclass(frozen=True)
class InOneProcess:
    """Tasks that only the process with a certain lock runs."""

    lock: str
    tasks: Sequence[Callable[[], Awaitable[None]]]
    locks: Locks

    async def run(self) -> None:
        """Run the tasks whenever the lock is free, until cancelled; raises the error of a task."""
        while True:
            await self._take()
            log.info(
                "lock=<%s> | this process runs the work that only one process may run", self.lock
            )
            try:
                await self._work()
            finally:
                await self.locks.release(self.lock)

    async def _take(self) -> None:
        while True:
            try:
                if await self.locks.take(self.lock):
                    return
            except StorageError as error:
                log.debug("lock=<%s>, error=<%s> | could not be asked for", self.lock, error)
            await asyncio.sleep(LOOK_EVERY_S)

    async def _work(self) -> None:
        """Run the tasks until the lock is lost."""
        working = asyncio.create_task(self._all(), name=self.lock)
        lost = asyncio.create_task(self.locks.lost(self.lock), name=f"lost-{self.lock}")
        try:
            await asyncio.wait({working, lost}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                await working
            log.warning("lock=<%s> | lost: another process may do this work now", self.lock)
        finally:
            for task in (working, lost):
                task.cancel()
            await asyncio.wait({working, lost})

    async def _all(self) -> None:
        async with asyncio.TaskGroup() as group:
            for task in self.tasks:
                group.create_task(_until_done(task))
            await asyncio.Event().wait()


async def _until_done(task: Callable[[], Awaitable[None]]) -> None:
    await task()
