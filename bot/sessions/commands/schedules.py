"""`/schedule` and `bellhop schedule`: scheduled tasks and their outcomes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.domain.access import Person, Role
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.places import Reach
from bot.domain.privacy import Viewer
from bot.domain.schedules import ScheduledTask
from bot.domain.turns import TurnEngine
from bot.tools.budget.budgets import BudgetStanding, amount_of
from bot.tools.budget.usage import Meter
from bot.turns.schedules import store, tasks_store
from bot.turns.schedules.cron import next_due
from bot.turns.schedules.showing import listed, shown, ticks_shown
from bot.turns.schedules.tasks_store import ScheduledTasks

USAGE = "[show|pause|resume|cancel|run ID]"
_HOW = f"Say /schedule {USAGE}. Without arguments it lists what is scheduled."


@dataclass(frozen=True)
class Told:
    """The text, and whether the request was carried out."""

    text: str
    done: bool = True


class ScheduleCommands:
    """Lists and changes scheduled tasks; the text is for people."""

    def __init__(self, database: Database, engine: TurnEngine, clock: Clock, meter: Meter) -> None:
        self._meter = meter
        self._database = database
        self._engine = engine
        self._clock = clock
        self._tasks = ScheduledTasks(database)

    async def run(self, args: str, person: Person, viewer: Viewer, *, key: str) -> Told:
        """One command; it shows a task only to the people who may have seen its creation.

        `key` identifies the command, so that a repetition after a crash runs nothing twice.
        """
        verb, _, ref = args.strip().partition(" ")
        if not verb or verb.casefold() == "list":
            return Told(await self._list(person, viewer))
        task = await self._find(ref, person, viewer) if ref.strip() else None
        if verb.casefold() not in {"show", "pause", "resume", "cancel", "run"} or not ref.strip():
            return Told(_HOW, done=False)
        if task is None:
            return Told(
                f"There is no schedule {ref.strip()[:40]} here. /schedule lists them.", done=False
            )
        match verb.casefold():
            case "show":
                ticks = ticks_shown(await self._tasks.ticks(task), task.zone)
                budgets = budgets_shown(await self._meter.of_schedule(task.ref))
                return Told("\n".join([shown(task, self._clock.now()), *budgets, ticks]))
            case "pause":
                return await self._change(
                    task, tasks_store.pause(task, f"by {person.id}"), "is paused"
                )
            case "resume":
                return await self._resume(task, person)
            case "cancel":
                return await self._change(task, tasks_store.cancel(task), "is cancelled")
            case _:
                return await self._run_now(task, key)

    async def _list(self, person: Person, viewer: Viewer) -> str:
        everybody = person.role is Role.MASTER_ADMIN and viewer.place.reach is Reach.DM
        found = await self._tasks.of(None if everybody else person.id)
        visible = [task for task in found if _shown(task, viewer)]
        return listed(visible, self._clock.now(), hidden=len(found) - len(visible))

    async def _find(self, ref: str, person: Person, viewer: Viewer) -> ScheduledTask | None:
        """The same answer for another person's task and for one that never existed."""
        task = await self._tasks.find(ref)
        if task is None or not _shown(task, viewer):
            return None
        return task if task.owner == person.id or person.role is Role.MASTER_ADMIN else None

    async def _resume(self, task: ScheduledTask, person: Person) -> Told:
        """Typed by its owner, it also confirms a prompt to which text from outside led."""
        if task.next_due is None:
            return Told(f"{task.name} ({task.ref}) is over: it ran once.", done=False)
        now = self._clock.now()
        due = task.next_due if task.cron is None else next_due(task.cron, task.zone, now)
        if due is None:
            return Told(f"{task.name} ({task.ref}) is over.", done=False)
        unit = tasks_store.resume(task, due)
        if task.origin.untrusted and task.owner == person.id:
            unit += tasks_store.confirm(task, person.id)
        return await self._change(task, unit, "goes on")

    async def _change(self, task: ScheduledTask, unit: Unit, what: str) -> Told:
        await self._database.write(unit)
        self._engine.rescheduled()
        return Told(f"{task.name} ({task.ref}) {what}.")

    async def _run_now(self, task: ScheduledTask, command: str) -> Told:
        """Run it once more, now; refused while it is at work."""
        if await self._engine.under_way(task.session) or await self._engine.waiting(task.session):
            return Told(f"{task.name} ({task.ref}) is running already.", done=False)
        schedule = await store.read(self._database, task.schedule)
        if schedule is None:
            return Told(f"There is no schedule {task.ref} any more.", done=False)
        now, key = self._clock.now(), f"schedule:{task.schedule}:run:{command}"
        beside = now + timedelta(microseconds=1)  # never equal to the time of a tick
        claim = Unit.of(store.claim_tick(schedule, beside, key, now))
        await self._engine.submit(task.session, key, schedule.body, unit=claim)
        return Told(f"{task.name} ({task.ref}) runs now; its answer is posted where it was made.")


def _shown(task: ScheduledTask, viewer: Viewer) -> bool:
    """Treats every task as the person's own: a MasterAdmin asks as the operator."""
    return viewer.sees(viewer.person, task.learned)


def budgets_shown(standings: Sequence[BudgetStanding]) -> list[str]:
    """A line for each budget: `used this month: 12 model calls of 1,000`."""
    return [
        (
            f"used this month: {amount_of(one.limit.measure, one.spent)} of "
            f"{amount_of(one.limit.measure, one.allowed)}"
        )
        for one in standings
    ]
