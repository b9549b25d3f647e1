"""All SQL of automations: their files, their events, and the channels open to them.

Cursors say how far each connected mailbox and calendar was read.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc, utc_or_none
from bot.domain.automations import Automation, Event, EventKind
from bot.domain.database import Database, Read, Row, Unit, Write, made_of, read_number
from bot.domain.origins import Origin
from bot.domain.privacy import Learned
from bot.domain.work import TriggerWork, dump_work
from bot.storage.inserts import purge_of, taken_in
from bot.storage.values import (
    HomeValue,
    PersonValue,
    drop_person_value,
    home_value,
    person_value,
    put_person_value,
)
from bot.turns.schedules import store as schedules

KIND = "automation"
"""The kind of a tick of an automation."""
TEXTS = 20
"""The most events of one run whose text is stored; the others are counted."""
LISTED = 200
_SELECT = (
    "SELECT one.*, due.next_due AS due FROM automations AS one LEFT JOIN schedules AS due ON "
    "due.session = one.session"
)
_STARTED = (
    "one.enabled = 1 AND one.event = ? AND one.watches = ? AND EXISTS (SELECT 1 FROM"
    " home_values WHERE name = 'automations' AND key = one.watches)"
    " OR one.enabled = 1 AND one.event = ? AND one.workspace = ?"
)
"""`enabled` stands in both parts because SQLite then finds both by `automations_by_event`."""


@dataclass(frozen=True)
class WaitingEvents:
    """Events since the last run of an automation, the newest `TEXTS` of them, up to row `last`."""

    count: int
    events: tuple[Event, ...]
    last: int


class Automations:
    """Reads automations, and returns units that change them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.taken = taken_in(database, "automations", "ref")

    async def find(self, ref: str) -> Automation | None:
        row = await self._database.read_one(
            f"{_SELECT} WHERE one.ref = ?", (ref.strip().lower().lstrip("#"),)
        )
        return _automation(row) if row else None

    async def of(self, owner: str | None) -> list[Automation]:
        """A person's automations (None: everybody's), the oldest first."""
        rows = await self._database.read(
            f"{_SELECT} WHERE ? IS NULL OR one.owner = ? ORDER BY one.created_at, one.ref LIMIT ?",
            (owner, owner, LISTED),
        )
        return [_automation(row) for row in rows]

    async def page(
        self, owner: str | None, behind: tuple[str, str], limit: int
    ) -> list[Automation]:
        """The oldest first, behind a moment as stored and a reference."""
        at, ref = behind
        rows = await self._database.read(
            f"{_SELECT} WHERE (? IS NULL OR one.owner = ?)"
            " AND (one.created_at > ? OR one.created_at = ? AND one.ref > ?)"
            " ORDER BY one.created_at, one.ref LIMIT ?",
            (owner, owner, at, at, ref, limit),
        )
        return [_automation(row) for row in rows]

    async def count(self, owner: str) -> int:
        return await read_number(
            self._database, "SELECT count(*) AS n FROM automations WHERE owner = ?", (owner,)
        )

    async def watching(self, kind: EventKind, channel: str) -> list[Automation]:
        """Automations that a channel's events start; none if the channel is not opened to them."""
        rows = await self._database.read(
            f"{_SELECT} JOIN home_values AS open ON open.name = 'automations'"
            " AND open.key = one.watches"
            " WHERE one.event = ? AND one.watches = ? AND one.enabled = 1",
            (kind, channel),
        )
        return [_automation(row) for row in rows]

    async def on_message(
        self, channel: str, workspace: str
    ) -> tuple[list[Automation], list[Automation]]:
        """Automations that a message in a channel starts, and those for newcomers."""
        read = started_read(channel, workspace)
        found = [_automation(row) for row in await self._database.read(read.sql, read.params)]
        return (
            [one for one in found if one.event == EventKind.MESSAGE],
            [one for one in found if one.event == EventKind.NEW_PERSON],
        )

    async def waiting_for(self, kind: EventKind) -> list[Automation]:
        """Automations that events of a kind start, in all workspaces."""
        rows = await self._database.read(
            f"{_SELECT} WHERE one.event = ? AND one.enabled = 1", (kind,)
        )
        return [_automation(row) for row in rows]

    async def waiting(self, ref: str) -> WaitingEvents:
        rows = await self._database.read(
            "SELECT * FROM (SELECT * FROM automation_events WHERE automation = ? AND turn IS NULL "
            "AND text <> ''"
            " ORDER BY seq LIMIT ?) AS first ORDER BY seq",
            (ref, TEXTS),
        )
        total = await self._database.read_one(
            (
                "SELECT count(*) AS n, max(seq) AS last FROM automation_events WHERE automation = "
                "? AND turn IS NULL"
            ),
            (ref,),
        )
        count, last = (int(total["n"]), int(total["last"] or 0)) if total else (0, 0)
        return WaitingEvents(count, tuple(_event(row) for row in rows), last)

    async def runs_since(self, automation: Automation, since: datetime) -> int:
        return await read_number(
            self._database,
            "SELECT count(*) AS n FROM schedule_ticks AS tick JOIN schedules AS due ON due.id = "
            "tick.schedule"
            " WHERE due.session = ? AND tick.ran_at > ?",
            (automation.session, format_utc(since)),
        )

    async def knows(self, ref: str, key: str) -> bool:
        """Whether an event of this key has happened to an automation."""
        row = await self._database.read_one(
            "SELECT 1 FROM automation_events WHERE automation = ? AND key = ?", (ref, key)
        )
        return row is not None

    async def opened_by(self, channel: str) -> str | None:
        """The person who opened a channel to automations, or None."""
        return await home_value(self._database, HomeValue.AUTOMATIONS, channel)


def started_read(channel: str, workspace: str) -> Read:
    """See `on_message`."""
    watched = (EventKind.MESSAGE, channel, EventKind.NEW_PERSON, workspace)
    return Read(f"{_SELECT} WHERE {_STARTED}", watched)


def create(automation: Automation, workspace: str) -> Unit:
    """The unit is rejected if its owner already has a file with this name."""
    return Unit.of(
        Write(
            "INSERT INTO automations (ref, owner, slug, text, event, watches, workspace, session, "
            "envelope,"
            " conversation, reach, channel, origin, enabled, created_at, updated_at)"
            " SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
            " WHERE NOT EXISTS (SELECT 1 FROM automations WHERE owner = ? AND slug = ?)",
            (
                automation.ref,
                automation.owner,
                automation.slug,
                automation.text,
                automation.event,
                automation.watches,
                workspace,
                automation.session,
                json.dumps(automation.envelope),
                automation.conversation,
                automation.learned.reach,
                automation.learned.channel,
                automation.origin.to_text(),
                int(automation.enabled),
                format_utc(automation.created_at),
                format_utc(automation.updated_at),
                automation.owner,
                automation.slug,
            ),
            rows=1,
        )
    )


def replace_text(before: Automation, after: Automation) -> Unit:
    """Replace the file's text; rejected if it changed meanwhile.

    A new watched channel is notified.
    """
    return Unit.of(
        Write(
            "UPDATE automations SET text = ?, event = ?, watches = ?, enabled = ?, paused_why = "
            "'', failures = 0,"
            " origin = ?, updated_at = ?, shown_at = CASE WHEN watches = ? THEN shown_at END"
            " WHERE ref = ? AND updated_at = ? AND enabled = ?",
            (
                after.text,
                after.event,
                after.watches,
                int(after.enabled),
                after.origin.to_text(),
                format_utc(after.updated_at),
                after.watches,
                before.ref,
                format_utc(before.updated_at),
                int(before.enabled),
            ),
            rows=1,
        )
    )


def remove(automation: Automation) -> Unit:
    """Delete it together with its waiting events."""
    return Unit.of(
        Write("DELETE FROM automations WHERE ref = ?", (automation.ref,)),
        Write(
            "DELETE FROM automation_events WHERE automation = ? AND turn IS NULL", (automation.ref,)
        ),
        schedules.remove_session(automation.session),
    )


def pause(automation: Automation, why: str) -> Unit:
    """Pause it: further events are not stored, and of waiting ones only the key is kept."""
    return Unit.of(
        Write(
            "UPDATE automations SET enabled = 0, paused_why = ? WHERE ref = ?",
            (why, automation.ref),
        ),
        Write(
            (
                "UPDATE automation_events SET turn = 0, text = '' WHERE automation = ? AND turn IS "
                "NULL"
            ),
            (automation.ref,),
        ),
    )


def resume(automation: Automation, now: datetime) -> Unit:
    """Resume it: earlier failures and events in the pause don't count."""
    return Unit.of(
        Write(
            "UPDATE automations SET enabled = 1, paused_why = '', failures = 0, updated_at = ?"
            " WHERE ref = ?",
            (format_utc(now), automation.ref),
        )
    )


def count_failure(automation: Automation, failures: int) -> Write:
    return Write("UPDATE automations SET failures = ? WHERE ref = ?", (failures, automation.ref))


def mark_shown(automation: Automation, now: datetime) -> Write:
    return Write(
        "UPDATE automations SET shown_at = ? WHERE ref = ?", (format_utc(now), automation.ref)
    )


def happened(automation: Automation, event: Event, due: datetime, now: datetime) -> Unit:
    """Store an event, and a run at `due` unless one is coming; a known event does nothing."""
    body = dump_work(TriggerWork(automation.envelope, automation.ref, automation.event.upper()))
    key, waits = (automation.ref, event.key), (automation.ref, TEXTS)
    return Unit.of(
        Write(
            "INSERT INTO automation_events (automation, key, at, text, origin) SELECT ?, ?, ?,"
            " CASE WHEN (SELECT count(*) FROM (SELECT 1 FROM automation_events WHERE automation = ?"
            " AND turn IS NULL LIMIT ?) AS waiting) < ? THEN ? ELSE '' END, ? WHERE true"
            " ON CONFLICT (automation, key) DO NOTHING",
            (
                *key,
                format_utc(event.at),
                *waits,
                TEXTS,
                event.text,
                event.origin.to_text(),
            ),
        ),
        *schedules.arm_once(automation.session, body, due, now),
    )


def take(automation: str, waiting: WaitingEvents, turn: int) -> Write:
    return Write(
        (
            "UPDATE automation_events SET turn = ?, text = '' WHERE automation = ? AND turn IS "
            "NULL AND seq <= ?"
        ),
        (turn, automation, waiting.last),
    )


def change_event(key: str, text: str) -> Write:
    """A waiting event uses its edited text."""
    return Write(
        "UPDATE automation_events SET text = ? WHERE turn IS NULL AND key = ? AND text <> ''",
        (text, key),
    )


purge_events = purge_of("automation_events", "seq", "at", "turn IS NOT NULL")
"""Deletes the keys of events that no platform sends again."""


def open_channel(channel: str, by: str, now: datetime) -> Write:
    return Write(
        "INSERT INTO home_values (name, key, value, at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (name, key) DO NOTHING RETURNING key",
        (HomeValue.AUTOMATIONS, channel, by, format_utc(now)),
    )


def close_channel(channel: str) -> Write:
    sql = "DELETE FROM home_values WHERE name = ? AND key = ? RETURNING key"
    return Write(sql, (HomeValue.AUTOMATIONS, channel))


def by_paths(automations: Sequence[Automation]) -> dict[str, Automation]:
    """One person's automations by file slug; of two with one slug the newer has its id added."""
    found: dict[str, Automation] = {}
    for one in automations:
        found[one.slug if one.slug not in found else f"{one.slug}-{one.ref}"] = one
    return found


def _automation(row: Row) -> Automation:
    return made_of(
        Automation,
        row,
        envelope=json.loads(row["envelope"]),
        learned=Learned.of(row),
        origin=Origin.parse(row["origin"]),
        enabled=bool(row["enabled"]),
        shown_at=utc_or_none(row["shown_at"]),
        due=utc_or_none(row["due"]),
        created_at=parse_utc(row["created_at"]),
        updated_at=parse_utc(row["updated_at"]),
    )


def _event(row: Row) -> Event:
    return Event(row["key"], parse_utc(row["at"]), row["text"], Origin.parse(row["origin"]))


class AccountCursors:
    """Reads cursors; moving one is a unit, committed with the events that were found."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, person: str, account: str, kind: EventKind) -> str:
        """The cursor of an account; empty before the first read."""
        key = f"{account} {kind}"
        return await person_value(self._database, person, PersonValue.LOOKED_AT, key) or ""

    async def all(self) -> set[tuple[str, str, EventKind]]:
        """Person, account and kind of every cursor."""
        sql = "SELECT person, key FROM person_values WHERE name = ?"
        rows = await self._database.read(sql, (PersonValue.LOOKED_AT,))
        looked = ((str(row["person"]), *str(row["key"]).split(" ", 1)) for row in rows)
        return {(person, account, EventKind(kind)) for person, account, kind in looked}


def move_cursor(person: str, account: str, kind: EventKind, cursor: str) -> Unit:
    key = f"{account} {kind}"
    return Unit.of(put_person_value(person, PersonValue.LOOKED_AT, cursor, key))


def forget_cursor(person: str, account: str, kind: EventKind) -> Unit:
    return Unit.of(drop_person_value(person, PersonValue.LOOKED_AT, f"{account} {kind}"))
