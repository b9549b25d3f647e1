"""Background tasks: which processes run them, which run in only one, and what an error does.

A full disk, or a database that can't be reached, ends nothing: turns are tried again in seconds,
and other work in a minute. Any other error ends the process, so that its supervisor restarts it.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import cast

from bot.domain.clock import Clock
from bot.domain.processes import Locks, Processes, ProcessRole
from bot.errors import StorageError
from bot.plugin.plugin import Task

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
"""Seconds between two tries to take over the tasks of another process."""
AGAIN_S = 60.0
"""Seconds until work begins again after an error."""
TOLD_AGAIN_S = 3_600.0
_OF_DISKS = (StorageError, OSError)


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
    """Runs until cancelled, or until it ends.

    `once`: only one of the processes in `where` runs it at a time.
    """

    run: Task
    where: Where
    once: bool = False
    again_s: float = AGAIN_S
    """Seconds until it begins again when the disk or the database was the reason for its end."""


@dataclass(frozen=True)
class KeptUp:
    """Runs work that begins again after an error.

    One that several kinds of work have, or that comes again and again, is told once an hour.
    """

    clock: Clock
    plugin: str = ""
    """Whose work it is. Whatever that of a plug-in raises ends nothing."""
    _told: dict[str, float] = field(default_factory=dict[str, float])

    async def run(self, task: Task, again_s: float = AGAIN_S) -> None:
        """Run it until it ends or is cancelled; raises what no disk causes."""
        while True:
            try:
                return await task()
            except Exception as error:
                found = list(_single(error))
                if not (self.plugin or all(isinstance(one, _OF_DISKS) for one in found)):
                    raise
                self._tell(found[0], error)
            await self.clock.sleep(again_s)

    def _tell(self, error: BaseException, whole: BaseException) -> None:
        text, now = str(error), self.clock.monotonic()
        if now - self._told.get(text, -TOLD_AGAIN_S) < TOLD_AGAIN_S:
            return
        self._told[text] = now
        log.warning(
            "plugin=<%s>, error=<%s> | background work failed, it begins again soon",
            self.plugin, error, exc_info=None if isinstance(error, StorageError) else whole,
        )  # fmt: skip


def _single(error: BaseException) -> Iterator[BaseException]:
    """The errors of a group, or this one."""
    if isinstance(error, BaseExceptionGroup):
        for one in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from _single(one)
    else:
        yield error


def of_this_process(
    tasks: Sequence[ProcessTask], processes: Processes | None, clock: Clock
) -> list[Task]:
    """The tasks that this process runs; all of them if it has the database alone."""
    kept = KeptUp(clock)
    tasks = [replace(one, run=partial(kept.run, one.run, one.again_s)) for one in tasks]
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
    tasks: Sequence[Task]
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


async def _until_done(task: Task) -> None:
    await task()
