"""The cycle log: every run's actions, requests and usage, kept in the database.

Interrupted cycles are ended here: their work is over, but the log has no end for them.
"""

import json
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from bot.agents.cycle_log.events import ended_without_word
from bot.agents.cycle_log.store import COLUMNS, event_of, events_unit
from bot.clock import format_utc
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEvent, CycleStatus
from bot.domain.database import Database, Unit, Write, read_number
from bot.domain.json_types import JsonObject
from bot.domain.privacy import Learned
from bot.storage.values import HomeValue, home_value, put_home_value

PREFIX_CHARS = 8
"""The shortest id for a look-up, and the part of an id shown to people."""
_PREFIX_WINDOW = 500
"""A shortened id is searched among this many newest cycles."""
_ID_CHARS = 32
_PAGE = 500
_LOOKED = 1_000
"""The number of newest cycles from which the shown ones are picked."""
_PURGED_AT_ONCE = 100
"""Events that one unit of a purge deletes, so that running turns never wait behind it."""
_CLOSED_AT_ONCE = 100
_EVERY = timedelta(hours=1)

# The index of starts serves only queries that repeat its condition.
_STARTS = "type IN ('cycle_start', 'agent_cycle_start')"
_TREE = f"""
    WITH RECURSIVE tree (id, turn) AS (
        SELECT cycle_id, turn FROM cycle_events WHERE cycle_id = ?1 AND {_STARTS}
        UNION
        SELECT cycle_id, turn FROM cycle_events WHERE turn = ?2 AND cycle_id = ?1
        UNION
        SELECT child.cycle_id, child.turn
        FROM cycle_events AS child JOIN tree ON child.parent_id = tree.id
        WHERE child.type = 'agent_cycle_start'
    )
    SELECT {COLUMNS} FROM cycle_events
    WHERE turn IN (SELECT turn FROM tree) AND cycle_id IN (SELECT id FROM tree)
    ORDER BY cycle_events.id
"""  # noqa: S608
_CYCLE = f"""
    SELECT {COLUMNS} FROM cycle_events
    WHERE turn IN (SELECT turn FROM cycle_events WHERE cycle_id = ?1 AND {_STARTS})
    AND cycle_id = ?1 ORDER BY cycle_events.id
"""  # noqa: S608
_RESOLVE = (
    f"SELECT cycle_id FROM (SELECT cycle_id FROM cycle_events WHERE {_STARTS}"  # noqa: S608
    " ORDER BY id DESC LIMIT ?) AS newest WHERE substr(cycle_id, 1, ?) = ? LIMIT 1"
)
_CALLERS = f"""
    WITH RECURSIVE line (id, steps) AS (
        SELECT parent_id, 1 FROM cycle_events
        WHERE cycle_id = ? AND {_STARTS} AND parent_id IS NOT NULL
        UNION
        SELECT child.parent_id, line.steps + 1
        FROM cycle_events AS child JOIN line ON child.cycle_id = line.id
        WHERE child.{_STARTS} AND child.parent_id IS NOT NULL AND line.steps < 20
    )
    SELECT id FROM line ORDER BY steps
"""  # noqa: S608
_CUT_OFF = f"""
    WITH cut_off AS (
        SELECT began.cycle_id, began.turn FROM cycle_events AS began
        WHERE began.{_STARTS}
        AND NOT EXISTS (
            SELECT 1 FROM cycle_events AS ended
            WHERE ended.turn = began.turn AND ended.step = 'complete'
            AND ended.cycle_id = began.cycle_id
            AND ended.type IN ('cycle_complete', 'agent_cycle_complete')
        )
        AND NOT EXISTS
            (SELECT 1 FROM inbox WHERE inbox.id = began.turn AND inbox.settled_at IS NULL)
        ORDER BY began.cycle_id LIMIT ?
    )
    SELECT {COLUMNS} FROM cycle_events
    WHERE turn IN (SELECT turn FROM cut_off) AND cycle_id IN (SELECT cycle_id FROM cut_off)
    ORDER BY cycle_events.cycle_id, cycle_events.id
"""  # noqa: S608
_EVENTS = f"SELECT {COLUMNS} FROM cycle_events"  # noqa: S608
_PURGE = "DELETE FROM cycle_events WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CycleSummary:
    """One line about a top-level cycle, for recall_recent and `bellhop cycles list`."""

    cycle_id: str
    at: datetime
    agent: str
    person: str
    session_id: str
    node_type: str
    status: CycleStatus
    text: str
    """The request."""
    answer: str
    error: str | None
    duration_ms: int | None
    learned: Learned


@dataclass(frozen=True)
class LoggedCycle:
    """A top-level cycle in a list that is read page by page."""

    event: int
    """The id of its start: the next page begins before it."""
    turn: int
    summary: CycleSummary
    replies: Sequence[CycleEvent]
    """The model calls of its turn, also of agents below."""


class CycleLog:
    """Reads the log; `instance_id` names this installation in the export.

    Runs write it: `Cycle` makes their events, and `events_unit` the writes for these.
    """

    def __init__(self, database: Database, instance_id: str = "") -> None:
        self._database = database
        self._instance_id = instance_id[:PREFIX_CHARS]

    async def events(self, cycle_id: str, turn: int | None = None) -> list[CycleEvent]:
        """A cycle and all below it, in order, by id or its first 8 or more characters.

        Empty if unknown. A shortened id is looked up among the newest 500 cycles. Give its turn
        where you know it: a cycle without a start in the log is found by its turn alone. The start
        was lost with a damaged log, or an earlier version made the cycle (`/compact`).
        """
        wanted = cycle_id.strip().lower()
        if len(wanted) < PREFIX_CHARS:
            return []
        if len(wanted) < _ID_CHARS:
            params = (_PREFIX_WINDOW, len(wanted), wanted)
            row = await self._database.read_one(_RESOLVE, params)
            wanted = wanted if row is None else str(row["cycle_id"])
        return await self._read(_TREE, wanted, turn)

    async def of_cycle(self, cycle_id: str) -> list[CycleEvent]:
        """The events of one cycle alone, by its full id."""
        return await self._read(_CYCLE, cycle_id)

    async def with_callers(self, cycle_id: str) -> tuple[str, ...]:
        """A cycle's id, then that of its caller, and so on to the top."""
        rows = await self._database.read(_CALLERS, (cycle_id,))
        return (cycle_id, *(str(row["id"]) for row in rows))

    async def recent(self, person: str | None, limit: int) -> list[CycleSummary]:
        """The newest top-level cycles of a person (of everyone when None), newest first."""
        return (await self.recent_shown(person, limit, lambda _: True))[0]

    async def recent_shown(
        self, person: str | None, limit: int, shown: Callable[[CycleEvent], bool]
    ) -> tuple[list[CycleSummary], int]:
        """The visible ones, judged by how they began, and how many newer ones are hidden.

        Looks among the newest 1,000 at most.
        """
        starts, hidden = await self._shown_starts(person, limit, shown)
        ends = await self._ends([start.turn for start in starts])
        return [summary_of(start, ends.get(start.cycle_id)) for start in starts], hidden

    async def _shown_starts(
        self, person: str | None, limit: int, shown: Callable[[CycleEvent], bool]
    ) -> tuple[list[CycleEvent], int]:
        found: list[CycleEvent] = []
        before, looked, page = sys.maxsize, 0, limit
        while looked < _LOOKED and (starts := await self._starts(person, before, page)):
            for _, start in starts:
                looked += 1
                if shown(start):
                    found.append(start)
                if len(found) == limit:
                    return found, looked - limit
            before, page = starts[-1][0], _PAGE
        return found, looked - len(found)

    async def page(self, person: str | None, before: int | None, limit: int) -> list[LoggedCycle]:
        """The newest top-level cycles that began before an event, with their model calls."""
        starts = await self._starts(person, before or sys.maxsize, limit)
        if not starts:
            return []
        turns = [start.turn for _, start in starts]
        ends = await self._ends(turns)
        replies: dict[int, list[CycleEvent]] = {}
        of_turns = f"turn IN ({_marks(turns)}) AND type IN ('llm_response')"
        for reply in await self._read(f"{_EVENTS} WHERE {of_turns}", *turns):
            replies.setdefault(reply.turn, []).append(reply)
        return [
            LoggedCycle(
                id_,
                start.turn,
                summary_of(start, ends.get(start.cycle_id)),
                replies.get(start.turn, []),
            )
            for id_, start in starts
        ]

    async def _starts(
        self, person: str | None, before: int, limit: int
    ) -> list[tuple[int, CycleEvent]]:
        """The starts of top-level cycles before an event (its id), newest first, with their ids."""
        whose, params = _of_person(person)
        rows = await self._database.read(
            f"SELECT id, {COLUMNS} FROM cycle_events"  # noqa: S608
            f" WHERE type = 'cycle_start' {whose}AND id < ? ORDER BY id DESC LIMIT ?",
            (*params, before, limit),
        )
        return [(int(row["id"]), event_of(row)) for row in rows]

    async def _ends(self, turns: Sequence[int]) -> dict[str, CycleEvent]:
        """The ends of the top-level cycles of these turns, by the cycle's id."""
        if not turns:
            return {}
        of_turns = f"turn IN ({_marks(turns)}) AND step = 'complete' AND type = 'cycle_complete'"
        ends = await self._read(f"{_EVENTS} WHERE {of_turns}", *turns)
        return {event.cycle_id: event for event in ends}

    async def model_calls(
        self, person: str | None, since: datetime, limit: int
    ) -> list[CycleEvent]:
        """The newest model calls since a moment; of one person, or of everybody (None)."""
        whose, params = _of_person(person)
        newest = f"type IN ('llm_response') {whose}AND at >= ? ORDER BY id DESC LIMIT ?"
        return await self._read(f"{_EVENTS} WHERE {newest}", *params, format_utc(since), limit)

    async def _read(self, sql: str, *params: Any) -> list[CycleEvent]:
        return [event_of(row) for row in await self._database.read(sql, params)]

    # --- sending it elsewhere ---

    async def not_exported(self, limit: int) -> tuple[int, list[str]]:
        """Ended cycles not yet sent as traces, oldest first, and the mark to store later.

        Without a mark, one is set at the current end: cycles from before the export was enabled
        are not sent.
        """
        mark = await home_value(self._database, HomeValue.EXPORTED)
        if mark is None:
            newest = await read_number(self._database, "SELECT max(id) AS id FROM cycle_events")
            await self.exported(newest)
            return newest, []
        rows = await self._database.read(
            "SELECT id, cycle_id FROM cycle_events WHERE id > ? AND type IN ('cycle_complete', "
            "'agent_cycle_complete') ORDER BY id LIMIT ?",
            (int(mark), limit),
        )
        last = int(rows[-1]["id"]) if rows else int(mark)
        return last, [str(found["cycle_id"]) for found in rows]

    async def exported(self, after: int) -> None:
        """Everything up to this mark was sent."""
        await self._database.write(Unit.of(put_home_value(HomeValue.EXPORTED, str(after))))

    async def export(self) -> AsyncIterator[str]:
        """Every event, oldest first, as one JSON object per line (without the line end)."""
        last = 0
        sql = f"SELECT id, {COLUMNS} FROM cycle_events WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608
        while rows := await self._database.read(sql, (last, _PAGE)):
            for row in rows:
                yield json.dumps(self._exported(event_of(row)), ensure_ascii=False)
            last = int(rows[-1]["id"])

    def _exported(self, event: CycleEvent) -> JsonObject:
        instance = {"instance_id": self._instance_id} if self._instance_id else {}
        return {
            "type": event.type.value,
            "cycle_id": event.cycle_id,
            "parent_id": event.parent_id,
            "timestamp": format_utc(event.at),
            **instance,
            "duration_ms": event.duration_ms,
            "session_id": event.session_id,
            "person": event.person,
            "agent": event.agent,
            "step": event.step,
            **event.data,
        }

    async def purge(self, before: datetime, pause: Callable[[], Awaitable[None]]) -> int:
        """Delete events before a moment, in small units with pauses; returns how many."""
        count, last = 0, 0
        sql = "SELECT id, at FROM cycle_events WHERE id > ? ORDER BY id LIMIT ?"
        while True:
            rows = await self._database.read(sql, (last, _PURGED_AT_ONCE))
            old = [int(row["id"]) for row in rows if row["at"] < format_utc(before)]
            if old:
                await self._database.write(Unit.of(Write(_PURGE, (json.dumps(old),))))
                count += len(old)
            if not old or len(rows) < _PURGED_AT_ONCE:
                return count
            last = int(rows[-1]["id"])
            await pause()


def summary_of(start: CycleEvent, end: CycleEvent | None) -> CycleSummary:
    """A cycle by its first event, and by its last one once it has ended."""
    ended: JsonObject = {} if end is None else end.data
    return CycleSummary(
        cycle_id=start.cycle_id,
        at=start.at,
        agent=start.agent,
        person=start.person,
        session_id=start.session_id,
        node_type=str(start.data.get("node_type", "")),
        status=CycleStatus(ended.get("status", CycleStatus.RUNNING)),
        text=str(start.data.get("text", "")),
        answer=str(ended.get("text", "")),
        error=ended.get("error"),
        duration_ms=None if end is None else end.duration_ms,
        learned=start.learned,
    )


def _of_person(person: str | None) -> tuple[str, tuple[str, ...]]:
    """The condition for the cycles of a person, or of everybody (None), and its parameters."""
    return ("", ()) if person is None else ("AND person = ? ", (person,))


def _marks(values: Sequence[int]) -> str:
    return ", ".join("?" for _ in values)


class CutOffCycles:
    """Gives the outcome `cut off` to each cycle that has no end although its turn is over.

    This happens when a turn is given up, or is stopped before its cycle could resume after a crash.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(self) -> None:
        """One look at the start and one each hour, until cancelled. Raises StorageError."""
        while True:
            while await self.close():
                pass
            await self._clock.sleep(_EVERY.total_seconds())

    async def close(self) -> int:
        """End interrupted cycles; returns their number, at most 100."""
        rows = await self._database.read(_CUT_OFF, (_CLOSED_AT_ONCE,))
        cycles = groupby(map(event_of, rows), lambda event: event.cycle_id)
        ended = [ended_without_word(list(of_one), self._clock.now()) for _, of_one in cycles]
        if ended:
            await self._database.write(events_unit(ended))
            log.info("cycles=<%d> | closed interrupted cycles", len(ended))
        return len(ended)
