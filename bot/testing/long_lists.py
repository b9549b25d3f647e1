"""As many rows as somebody wants in each list that the console shows of one person."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from bot.agents.cycle_log.events import Cycle, CycleKey, Cycles
from bot.agents.cycle_log.store import events_unit
from bot.app import App
from bot.clock import format_utc
from bot.connectors.records import RecordProvenance
from bot.connectors.todos import store as todos
from bot.connectors.todos.store import Todo
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.cycles import CycleStatus
from bot.domain.database import Unit
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM
from bot.domain.schedules import ScheduledTask
from bot.files import store as files
from bot.files.store import Owner, StoredText
from bot.tools.permission import store as approvals
from bot.turns.schedules import tasks_store

AT_ONCE = 200
"""Writes of one unit."""


async def fill_lists(app: App, person: str, count: int) -> None:
    """Runs, approvals, todos, files, schedules and memory; each has its number in its words."""
    remember(app.settings.home, person, count)
    cycles = Cycles(app.clock, lambda value: value)
    now = app.clock.now()
    unit = Unit()
    for number in range(count):
        at = now + timedelta(seconds=number)
        for rows in _rows(person, number, at, cycles):
            unit += rows
        if len(unit.writes) >= AT_ONCE:
            await app.database.write(unit)
            unit = Unit()
    await app.database.write(unit)


def remember(home: Path, person: str, count: int) -> None:
    folder = home / "memory" / person
    folder.mkdir(parents=True, exist_ok=True)
    lines = (f"- [S3][2026-11-{number % 28 + 1:02}] thing {number:05}." for number in range(count))
    (folder / "assistant_memory.md").write_text("\n".join(lines) + "\n")


def write_skills(home: Path, count: int) -> None:
    """Before the house starts, which reads them then."""
    for number in range(count):
        folder = home / "skills" / f"n-{number:05}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(
            f"---\nname: n-{number:05}\ndescription: Does {number}.\n---\n# It\n\nDo it.\n"
        )


def _rows(person: str, number: int, at: datetime, cycles: Cycles) -> Iterable[Unit]:
    origin, moment = Origin(Trust.PERSON, f"person:{person}"), format_utc(at)
    made = RecordProvenance("assistant", "", "", IN_DM, origin)
    yield todos.insert(Todo(f"n{number}", person, f"todo {number:05}.", made, moment, moment))
    text = StoredText("text", "1", moment, person, IN_DM, origin.to_text())
    yield files.put_new(Owner("person", person), f"/documents/n/{number:05}.md", text)
    ends = at - timedelta(hours=1)
    yield Unit.of(
        approvals.insert(
            Approval(f"an{number}", "s", person, "assistant", f"call {number:05}.", {}, None, "",
            0, ApprovalState.DONE, ends, ends)
        ),
        approvals.insert(
            Approval(f"wn{number}", "s", person, "assistant", f"waits {number:05}.", {}, None, "",
            0, ApprovalState.OPEN, ends, at + timedelta(days=9))
        ),
    )  # fmt: skip
    place = f"discord:w:dm-{person}"
    yield tasks_store.create(
        ScheduledTask(f"sn{number}", 0, f"schedule:n{number}", person, f"water {number:05}.", "it",
        place, IN_DM, origin, "0 9 * * *", "UTC", at + timedelta(days=9), False, "", 0, at),
        {},
    )  # fmt: skip
    cycle = Cycle(CycleKey(1_000_000 + number, "s", person, "assistant"), cycles)
    yield events_unit([cycle.start(f"run {number:05}."), cycle.complete(CycleStatus.COMPLETE)])
