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

from bot.agents.cycle_log.events import ended_without_word
from bot.agents.cycle_log.store import (
    cut_off_cycles,
    ended_after,
    events_unit,
    exported_unit,
    newest_replies,
    old_events,
    purge_events,
    read_all,
    read_callers,
    read_cycle,
    read_ends,
    read_recent,
    read_replies,
    read_starts,
    read_tree,
    resolve_id,
)
from bot.clock import format_utc
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEvent, CycleStatus
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.privacy import Learned
from bot.errors import StorageError

PREFIX_CHARS = 8
"""The shortest id for a look-up, and the part of an id shown to people."""
log = logging.getLogger(__name__)
_EVERY = timedelta(hours=1)


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
        where you know it: a cycle without a start in the log is found by its turn alone.
        """
        wanted = cycle_id.strip().lower()
        if len(wanted) < PREFIX_CHARS:
            return []
        return await read_tree(self._database, await resolve_id(self._database, wanted), turn)

    async def with_callers(self, cycle_id: str) -> tuple[str, ...]:
        """A cycle's id, then that of its caller, and so on to the top."""
        return await read_callers(self._database, cycle_id)

    async def recent(self, person: str | None, limit: int) -> list[CycleSummary]:
        """The newest top-level cycles of a person (of everyone when None), newest first."""
        return (await self.recent_shown(person, limit, _always))[0]

    async def recent_shown(
        self, person: str | None, limit: int, shown: Callable[[CycleEvent], bool]
    ) -> tuple[list[CycleSummary], int]:
        """The visible ones, judged by how they began, and how many newer ones are hidden."""
        found, hidden = await read_recent(self._database, limit, person=person, shown=shown)
        return [_summary(start, end) for start, end in found], hidden

    async def page(self, person: str | None, before: int | None, limit: int) -> list["LoggedCycle"]:
        """The newest top-level cycles that began before an event, with their model calls."""
        starts = await read_starts(self._database, person, before or sys.maxsize, limit)
        if not starts:
            return []
        turns = [start.turn for _, start in starts]
        ends = await read_ends(self._database, turns)
        replies: dict[int, list[CycleEvent]] = {}
        for reply in await read_replies(self._database, turns):
            replies.setdefault(reply.turn, []).append(reply)
        return [
            LoggedCycle(
                id_,
                start.turn,
                _summary(start, ends.get(start.cycle_id)),
                replies.get(start.turn, []),
            )
            for id_, start in starts
        ]

    async def model_calls(
        self, person: str | None, since: datetime, limit: int
    ) -> list[CycleEvent]:
        """The newest model calls since a moment."""
        return await newest_replies(self._database, person, since, limit)

    async def of_cycle(self, cycle_id: str) -> list[CycleEvent]:
        """The events of one cycle alone, by its full id."""
        return await read_cycle(self._database, cycle_id)

    async def not_exported(self, limit: int) -> tuple[int, list[str]]:
        """Ended cycles not yet sent as traces, oldest first, and the mark to store later."""
        return await ended_after(self._database, limit)

    async def exported(self, after: int) -> None:
        """Everything up to this mark was sent."""
        await self._database.write(exported_unit(after))

    async def export(self) -> AsyncIterator[str]:
        """Every event, oldest first, as one JSON object per line (without the line end)."""
        async for event in read_all(self._database):
            yield json.dumps(self._exported(event), ensure_ascii=False)

    async def purge(self, before: datetime, pause: Callable[[], Awaitable[None]]) -> int:
        """Delete events before a moment, in small units with pauses; returns how many."""
        count, last = 0, 0
        while True:
            found, looked = await old_events(self._database, before, last)
            if found:
                await self._database.write(purge_events(found))
                count += len(found)
            if looked is None:
                return count
            last = looked
            await pause()

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


def _summary(start: CycleEvent, end: CycleEvent | None) -> CycleSummary:
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


def _always(event: CycleEvent) -> bool:
    return True


class CutOffCycles:
    """Gives the outcome `cut off` to each cycle that has no end although its turn is over.

    This happens when a turn is given up, or is stopped before its cycle could resume after a crash.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(self) -> None:
        """One look at the start and one each hour, until cancelled.

        The log can be damaged; turns continue even then.
        """
        while True:
            try:
                while await self.close():
                    pass
            except StorageError as error:
                log.warning("error=<%s> | interrupted cycles can't be closed", error)
            await self._clock.sleep(_EVERY.total_seconds())

    async def close(self) -> int:
        """End interrupted cycles; returns their number, at most 100."""
        events = await cut_off_cycles(self._database)
        cycles = groupby(events, lambda event: event.cycle_id)
        ended = [ended_without_word(list(of_one), self._clock.now()) for _, of_one in cycles]
        if ended:
            await self._database.write(events_unit(ended))
            log.info("cycles=<%d> | closed interrupted cycles", len(ended))
        return len(ended)
