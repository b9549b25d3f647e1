"""Scheduled tasks when they come due: who they run for now, what they say, and what became of them."""

import logging
from dataclasses import dataclass, replace

from bot.agents.notes import text_block
from bot.agents.run import Answered, Failed, LoopOutcome, Stopped
from bot.domain.access import Person, Role
from bot.domain.database import Unit
from bot.domain.messages import IncomingMessage
from bot.domain.origins import Origin, Trust
from bot.domain.schedules import ScheduledTask
from bot.domain.sessions import StoredBlock
from bot.domain.turns import Turn
from bot.sessions.envelope import incoming_from_json
from bot.sessions.house import House
from bot.sessions.setup import RunSetup
from bot.turns.schedules import store, tasks_store
from bot.turns.schedules.tasks_store import ScheduledTasks

log = logging.getLogger(__name__)

SCHEDULING_TOOL = "schedule_task"


@dataclass(frozen=True)
class DueTask:
    """A task that is due, with the message that its run answers and the person it runs for."""

    task: ScheduledTask
    message: IncomingMessage
    person: Person

    @property
    def words(self) -> StoredBlock:
        """The task itself. A model put it into words, so it names no target as its owner's own."""
        trust = max(Trust.MEMBER, self.task.origin.trust)
        origin = Origin(trust, f"schedule:{self.task.ref}")
        return StoredBlock(text_block(self.task.prompt), origin, self.task.private)


class Scheduled:
    """Prepares and settles the ticks of scheduled tasks; the runner runs them."""

    def __init__(self, house: House, setup: RunSetup) -> None:
        self._house = house
        self._setup = setup
        self._tasks = ScheduledTasks(house.database)

    async def due(self, turn: Turn) -> DueTask | None:
        """What is to be run now. None: it was taken away meanwhile."""
        task = await self._tasks.find(str(turn.body["task"]))
        if task is None:
            return None
        message = incoming_from_json(turn.body["message"])
        target = replace(message.reply_to, interaction=None, ephemeral_to=None)
        message = replace(message, key=turn.key, text=task.prompt, reply_to=target)
        return DueTask(task, message, self._house.person(message))

    async def refusal(self, due: DueTask) -> str:
        """Why its owner, with the role of this moment, may not have it run any more; empty when they may."""
        if due.person.role is Role.BANNED:
            return "its owner is banned"
        if await self._setup.may_use(SCHEDULING_TOOL, due.person, due.message):
            return ""
        return f"{due.person.id} ({due.person.role}) may not have anything scheduled there any more"

    def begun_unit(self, turn: Turn) -> Unit:
        return Unit.of(store.began(turn.id, self._house.clock.now()))

    def skipped_unit(self, turn: Turn, due: DueTask | None, why: str) -> Unit:
        """A run that may not be: the schedule is paused, so that it is not tried again and again."""
        ended = Unit.of(store.ended(turn.id, "skipped", why, self._house.clock.now(), posted=False))
        return ended if due is None else ended + tasks_store.pause(due.task, why)

    def settled_unit(self, turn: Turn, due: DueTask, outcome: LoopOutcome, *, posted: bool) -> tuple[Unit, str]:
        """What the end of a run records, and what its owner is told when the schedule is paused by it."""
        now, task = self._house.clock.now(), due.task
        state, detail = _state(outcome)
        unit = Unit.of(store.ended(turn.id, state, detail, now, posted=posted))
        if state != "failed":
            return unit + Unit.of(tasks_store.count_failure(task, 0)), ""
        failed, told = self._failed(task, detail)
        return unit + failed, told

    async def given_up(self, turn: Turn, reason: str) -> tuple[Unit, str]:
        """As `settled_unit`, for a run that was given up after several attempts."""
        unit = Unit.of(store.ended(turn.id, "failed", reason[:200], self._house.clock.now(), posted=False))
        task = await self._tasks.find(str(turn.body["task"]))
        if task is None:
            return unit, ""
        failed, told = self._failed(task, "it was given up")
        return unit + failed, told

    def _failed(self, task: ScheduledTask, detail: str) -> tuple[Unit, str]:
        failures = task.failures + 1
        unit = Unit.of(tasks_store.count_failure(task, failures))
        if failures < self._house.schedules.failures or task.cron is None:
            return unit, ""
        why = f"failed {failures} times in a row, the last time: {detail}"
        log.warning("task=<%s>, owner=<%s>, why=<%s> | paused", task.ref, task.owner, why)
        return unit + tasks_store.pause(task, why), paused_words(task, why)


def paused_words(task: ScheduledTask, why: str) -> str:
    """What its owner reads where it was made."""
    return (
        f"I paused the schedule “{task.name}” ({task.ref}): {why}."
        f" `/schedule resume {task.ref}` lets it go on, `/schedule cancel {task.ref}` takes it away."
    )


def _state(outcome: LoopOutcome) -> tuple[str, str]:
    match outcome:
        case Answered():
            return "done", ""
        case Stopped():
            return "stopped", "somebody stopped it"
        case Failed(_, reason):
            return "failed", reason[:200]
