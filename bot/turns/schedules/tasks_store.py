"""All SQL of scheduled tasks: their prompt, their owner, and the place of the answer."""

from datetime import datetime

from bot.clock import format_utc, parse_utc, utc_or_none
from bot.domain.database import Database, Row, Unit, Write, made_of, read_number
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import Learned
from bot.domain.schedules import ScheduledTask, ScheduleSpent, ScheduleTick
from bot.storage.inserts import taken_in
from bot.turns.schedules import store

_SELECT = (
    "SELECT task.*, due.id AS schedule, due.cron, due.zone, due.next_due, due.paused"
    " FROM scheduled_tasks AS task JOIN schedules AS due ON due.session = task.session"
)
LISTED = 200


class ScheduledTasks:
    """Reads tasks; changes are returned as units."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.taken = taken_in(database, "scheduled_tasks", "ref")

    async def find(self, ref: str) -> ScheduledTask | None:
        row = await self._database.read_one(
            f"{_SELECT} WHERE task.ref = ?", (ref.strip().lower().lstrip("#"),)
        )
        return _task(row) if row else None

    async def of(self, owner: str | None, *, over: bool = False) -> list[ScheduledTask]:
        """A person's tasks (None: everybody's), the next due first; `over` adds finished ones."""
        rows = await self._database.read(
            f"{_SELECT} WHERE (? IS NULL OR task.owner = ?) AND (? = 1 OR due.next_due IS NOT NULL)"
            " ORDER BY due.next_due IS NULL, due.next_due, task.ref LIMIT ?",
            (owner, owner, over, LISTED),
        )
        return [_task(row) for row in rows]

    async def page(
        self, owner: str | None, behind: tuple[str, str], limit: int
    ) -> list[ScheduledTask]:
        """Pending tasks, the next due first, behind a moment as stored and a reference."""
        due, ref = behind
        rows = await self._database.read(
            f"{_SELECT} WHERE (? IS NULL OR task.owner = ?) AND due.next_due IS NOT NULL"
            " AND (due.next_due > ? OR due.next_due = ? AND task.ref > ?)"
            " ORDER BY due.next_due, task.ref LIMIT ?",
            (owner, owner, due, due, ref, limit),
        )
        return [_task(row) for row in rows]

    async def count(self, owner: str) -> int:
        """The number of a person's pending tasks."""
        return await read_number(
            self._database,
            "SELECT count(*) AS n FROM scheduled_tasks AS task JOIN schedules AS due"
            " ON due.session = task.session WHERE task.owner = ? AND due.next_due IS NOT NULL",
            (owner,),
        )

    async def ticks(self, task: ScheduledTask, limit: int = 10) -> list[ScheduleTick]:
        """The outcomes of its last times, newest first."""
        return await self.ticks_of(task.schedule, limit)

    async def ticks_of(self, schedule: int, limit: int = 10) -> list[ScheduleTick]:
        """Like `ticks`, for any schedule."""
        rows = await self._database.read(
            "SELECT * FROM schedule_ticks WHERE schedule = ? ORDER BY due DESC LIMIT ?",
            (schedule, limit),
        )
        return [_tick(row) for row in rows]


def create(task: ScheduledTask, body: JsonObject) -> Unit:
    """Both rows of a new task; `schedule` is not known before."""
    assert task.next_due is not None  # noqa: S101 - nothing is made that never comes
    return Unit.of(
        store.insert(task.session, body, task.cron, task.zone, task.next_due, task.created_at),
        Write(
            "INSERT INTO scheduled_tasks (ref, session, owner, name, prompt, conversation, reach, "
            "channel, origin,"
            " created_at, budget_calls) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                task.ref,
                task.session,
                task.owner,
                task.name,
                task.prompt,
                task.conversation,
                task.learned.reach,
                task.learned.channel,
                task.origin.to_text(),
                format_utc(task.created_at),
                task.budget_calls,
            ),
            rows=1,
        ),
    )


def change(before: ScheduledTask, after: ScheduledTask) -> Unit:
    """Update a task's prompt and time; rejected if somebody else changed it meanwhile."""
    return Unit.of(
        Write(
            "UPDATE scheduled_tasks SET name = ?, prompt = ?, origin = ?, paused_why = ?, "
            "failures = 0, budget_calls = ?"
            " WHERE ref = ? AND name = ? AND prompt = ?",
            (
                after.name,
                after.prompt,
                after.origin.to_text(),
                after.paused_why,
                after.budget_calls,
                before.ref,
                before.name,
                before.prompt,
            ),
            rows=1,
        ),
        store.change(before.schedule, after.cron, after.zone, after.next_due, paused=after.paused),
    )


def pause(task: ScheduledTask, why: str = "") -> Unit:
    return Unit.of(
        store.pause(task.schedule),
        Write("UPDATE scheduled_tasks SET paused_why = ? WHERE ref = ?", (why, task.ref)),
    )


def resume(task: ScheduledTask, next_due: datetime) -> Unit:
    """Resume a paused task; its earlier failures no longer count."""
    return Unit.of(
        store.resume(task.schedule, next_due),
        Write(
            "UPDATE scheduled_tasks SET paused_why = '', failures = 0 WHERE ref = ?", (task.ref,)
        ),
    )


def confirm(task: ScheduledTask, person: str) -> Unit:
    """Make the prompt its person's own, as they saw it."""
    origin = Origin(Trust.PERSON, f"person:{person}")
    return Unit.of(
        Write(
            "UPDATE scheduled_tasks SET origin = ? WHERE ref = ? AND prompt = ?",
            (origin.to_text(), task.ref, task.prompt),
            rows=1,
        )
    )


def cancel(task: ScheduledTask) -> Unit:
    """Remove a task; its outcomes stay in the ledger."""
    return Unit.of(
        store.remove(task.schedule),
        Write("DELETE FROM scheduled_tasks WHERE ref = ?", (task.ref,)),
    )


async def own_budget(database: Database, ref: str) -> int | None:
    """The monthly limit of model calls that its owner set."""
    row = await database.read_one("SELECT budget_calls FROM scheduled_tasks WHERE ref = ?", (ref,))
    return row["budget_calls"] if row else None


async def spent_in(database: Database, ref: str, month: str) -> ScheduleSpent:
    row = await database.read_one(
        "SELECT * FROM scheduled_tasks WHERE ref = ? AND spent_month = ?", (ref, month)
    )
    return (
        ScheduleSpent(month, row["spent_nano_usd"], row["spent_calls"])
        if row
        else ScheduleSpent(month)
    )


def spend(ref: str, month: str, nano_usd: int) -> Write:
    """Count a model call, to be committed with its step; no error when the task is gone."""
    return Write(
        "UPDATE scheduled_tasks SET spent_nano_usd = ?2 + CASE WHEN spent_month = ?1 THEN "
        "spent_nano_usd ELSE 0 END,"
        " spent_calls = 1 + CASE WHEN spent_month = ?1 THEN spent_calls ELSE 0 END, spent_month = "
        "?1 WHERE ref = ?3",
        (month, nano_usd, ref),
    )


def count_failure(task: ScheduledTask, failures: int) -> Write:
    return Write("UPDATE scheduled_tasks SET failures = ? WHERE ref = ?", (failures, task.ref))


def _task(row: Row) -> ScheduledTask:
    return made_of(
        ScheduledTask,
        row,
        learned=Learned.of(row),
        origin=Origin.parse(row["origin"]),
        next_due=utc_or_none(row["next_due"]),
        paused=bool(row["paused"]),
        created_at=parse_utc(row["created_at"]),
        spent=ScheduleSpent(row["spent_month"], row["spent_nano_usd"], row["spent_calls"]),
    )


def _tick(row: Row) -> ScheduleTick:
    return made_of(
        ScheduleTick,
        row,
        due=parse_utc(row["due"]),
        ran_at=utc_or_none(row["ran_at"]),
        ended_at=utc_or_none(row["ended_at"]),
        posted_at=utc_or_none(row["posted_at"]),
    )
