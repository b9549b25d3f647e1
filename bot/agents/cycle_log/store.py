"""The table cycle_events."""

import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from itertools import chain

from bot.clock import format_utc, parse_utc
from bot.domain.cycles import CycleEvent, CycleEventType
from bot.domain.database import Database, Params, Row, Unit, Write, made_of, read_number
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, Learned
from bot.storage.values import HomeValue, home_value, put_home_value

PREFIX_WINDOW = 500
"""A shortened id is searched among this many newest cycles."""
ID_CHARS = 32
_PAGE = 500
_LOOKED = 1_000
"""The number of newest cycles from which the shown ones are picked."""
_TABLE = "cycle_events"
PURGED_AT_ONCE = 100
"""Events that one unit of a purge deletes, so that running turns never wait behind it."""

_COLUMNS = (
    "cycle_id, parent_id, turn, step, type, at, session_id, person, agent, private, reach, "
    "channel, duration_ms, data"
)
_COLUMN_COUNT = 14
_ROWS_AT_ONCE = 8
"""The most events of one statement: each number of rows is a statement of its own to compile."""
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
    SELECT {_COLUMNS} FROM cycle_events
    WHERE turn IN (SELECT turn FROM tree) AND cycle_id IN (SELECT id FROM tree)
    ORDER BY cycle_events.id
"""  # noqa: S608
_CYCLE = f"""
    SELECT {_COLUMNS} FROM cycle_events
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
    SELECT {_COLUMNS} FROM cycle_events
    WHERE turn IN (SELECT turn FROM cut_off) AND cycle_id IN (SELECT cycle_id FROM cut_off)
    ORDER BY cycle_events.cycle_id, cycle_events.id
"""  # noqa: S608
_CLOSED_AT_ONCE = 100
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode
_EXPORT = f"SELECT id, {_COLUMNS} FROM cycle_events WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608


def events_unit(events: Sequence[CycleEvent]) -> Unit:
    """The writes that log these events; events stored before (replayed steps) stay as they are."""
    new: dict[tuple[int, str, CycleEventType, str], CycleEvent] = {}
    for event in events:
        new.setdefault((event.turn, event.step, event.type, event.cycle_id), event)
    rows = [_params(event) for event in new.values()]
    return Unit(
        tuple(
            Write(_inserting(len(some)), tuple(chain.from_iterable(some)), expendable=_TABLE)
            for some in (rows[at : at + _ROWS_AT_ONCE] for at in range(0, len(rows), _ROWS_AT_ONCE))
        )
    )


def _inserting(rows: int) -> str:
    """The statement that adds those of these events that are not there yet, in their order.

    A unit meets no other writer, so what it doesn't find is not there. SQLite compiles a statement
    again for each value of `type = ?`, because indexes with a condition on it might then serve; for
    `IN` it does not. PostgreSQL could join `NOT EXISTS` in another order than that of the rows.
    """
    row = f"({', '.join('?' * _COLUMN_COUNT)})"
    return f"""
        INSERT INTO cycle_events ({_COLUMNS})
        SELECT column1, column2, column3, column4, column5, column6, column7, column8, column9,
            column10, column11, column12, CAST(column13 AS BIGINT), column14
        FROM (VALUES {", ".join([row] * rows)}) AS new
        WHERE (SELECT 1 FROM cycle_events WHERE turn = column3 AND step = column4
            AND type IN (column5) AND cycle_id = column1 LIMIT 1) IS NULL
    """  # noqa: S608


async def newest_event(database: Database) -> int:
    """The id of the newest event; 0 without any."""
    return await read_number(database, "SELECT MAX(id) AS id FROM cycle_events")


async def replies_behind(database: Database, event: int) -> list[tuple[int, bool]]:
    """The model calls logged behind an event: their ids, and whether the model could not answer."""
    rows = await database.read(
        "SELECT id, data FROM cycle_events WHERE id > ? AND type IN (?) ORDER BY id LIMIT ?",
        (event, CycleEventType.LLM_RESPONSE.value, _LOOKED),
    )
    return [(int(row["id"]), json.loads(row["data"]).get("error") is not None) for row in rows]


async def read_tree(database: Database, cycle_id: str, turn: int | None) -> list[CycleEvent]:
    """The events of a cycle and of all cycles below it, in writing order.

    `turn` finds a cycle without a start in the log: it was lost with a damaged log, or an earlier
    version made it (`/compact`).
    """
    return [_event(row) for row in await database.read(_TREE, (cycle_id, turn))]


async def read_callers(database: Database, cycle_id: str) -> tuple[str, ...]:
    """The id itself, then its caller's, and so on to the top."""
    rows = await database.read(_CALLERS, (cycle_id,))
    return (cycle_id, *(str(row["id"]) for row in rows))


async def resolve_id(database: Database, prefix: str) -> str:
    """The full id of a cycle: the newest match of a prefix, or the prefix itself if unknown."""
    if len(prefix) >= ID_CHARS:
        return prefix
    row = await database.read_one(_RESOLVE, (PREFIX_WINDOW, len(prefix), prefix))
    return prefix if row is None else str(row["cycle_id"])


async def read_recent(
    database: Database, limit: int, *, person: str | None, shown: Callable[[CycleEvent], bool]
) -> tuple[list[tuple[CycleEvent, CycleEvent | None]], int]:
    """The newest visible top-level cycles, newest first, each with its start and end event.

    The end is None while a cycle runs. Also returns how many newer ones are hidden. Looks among the
    newest 1,000 at most.
    """
    starts, hidden = await _starts(database, limit, person=person, shown=shown)
    if not starts:
        return [], hidden
    ends = await read_ends(database, [start.turn for start in starts])
    return [(start, ends.get(start.cycle_id)) for start in starts], hidden


async def read_ends(database: Database, turns: Sequence[int]) -> dict[str, CycleEvent]:
    """The ends of the top-level cycles of these turns, by the cycle's id."""
    marks = ", ".join("?" for _ in turns)
    rows = await database.read(
        f"SELECT {_COLUMNS} FROM cycle_events"  # noqa: S608
        f" WHERE turn IN ({marks}) AND step = 'complete' AND type = 'cycle_complete'",
        tuple(turns),
    )
    return {event.cycle_id: event for event in map(_event, rows)}


async def read_starts(
    database: Database, person: str | None, before: int, limit: int
) -> list[tuple[int, CycleEvent]]:
    """The starts of top-level cycles before an event (its id), newest first, with their ids."""
    whose = "" if person is None else "AND person = ? "
    rows = await database.read(
        f"SELECT id, {_COLUMNS} FROM cycle_events"  # noqa: S608
        f" WHERE type = 'cycle_start' {whose}AND id < ? ORDER BY id DESC LIMIT ?",
        (*((person,) if person else ()), before, limit),
    )
    return [(int(row["id"]), _event(row)) for row in rows]


async def read_replies(database: Database, turns: Sequence[int]) -> list[CycleEvent]:
    """The model calls of these turns, also of agents below."""
    marks = ", ".join("?" for _ in turns)
    rows = await database.read(
        f"SELECT {_COLUMNS} FROM cycle_events"  # noqa: S608
        f" WHERE turn IN ({marks}) AND type IN ('llm_response')",
        tuple(turns),
    )
    return [_event(row) for row in rows]


async def newest_replies(
    database: Database, person: str | None, since: datetime, limit: int
) -> list[CycleEvent]:
    """The newest model calls since a moment; of one person, or of everybody (None)."""
    whose = "" if person is None else "AND person = ? "
    rows = await database.read(
        f"SELECT {_COLUMNS} FROM cycle_events"  # noqa: S608
        f" WHERE type IN ('llm_response') {whose}AND at >= ? ORDER BY id DESC LIMIT ?",
        (*((person,) if person else ()), format_utc(since), limit),
    )
    return [_event(row) for row in rows]


async def _starts(
    database: Database, limit: int, *, person: str | None, shown: Callable[[CycleEvent], bool]
) -> tuple[list[CycleEvent], int]:
    whose = "" if person is None else "AND person = ? "
    sql = (
        f"SELECT id, {_COLUMNS} FROM cycle_events"  # noqa: S608
        f" WHERE type = 'cycle_start' {whose}AND id < ? ORDER BY id DESC LIMIT ?"
    )
    found: list[CycleEvent] = []
    before, looked, page = sys.maxsize, 0, limit
    while looked < _LOOKED and (
        rows := await database.read(sql, (*((person,) if person else ()), before, page))
    ):
        for row in rows:
            looked += 1
            if shown(event := _event(row)):
                found.append(event)
            if len(found) == limit:
                return found, looked - limit
        before, page = int(rows[-1]["id"]), _PAGE
    return found, looked - len(found)


async def cut_off_cycles(database: Database) -> list[CycleEvent]:
    """All events of cycles without an end whose turn has nothing left to do, cycle by cycle."""
    return [_event(row) for row in await database.read(_CUT_OFF, (_CLOSED_AT_ONCE,))]


async def read_cycle(database: Database, cycle_id: str) -> list[CycleEvent]:
    """The events of one cycle alone."""
    return [_event(row) for row in await database.read(_CYCLE, (cycle_id,))]


async def ended_after(database: Database, limit: int) -> tuple[int, list[str]]:
    """Cycles that ended since the mark of the last export, in order, and the mark behind them.

    Without a mark, one is set at the current end: cycles from before the export was enabled are not
    sent.
    """
    exported = await home_value(database, HomeValue.EXPORTED)
    if exported is None:
        newest = await database.read_one("SELECT coalesce(max(id), 0) AS id FROM cycle_events")
        after = int(newest["id"]) if newest is not None else 0
        await database.write(exported_unit(after))
        return after, []
    rows = await database.read(
        "SELECT id, cycle_id FROM cycle_events WHERE id > ? AND type IN ('cycle_complete', "
        "'agent_cycle_complete')"
        " ORDER BY id LIMIT ?",
        (int(exported), limit),
    )
    return int(rows[-1]["id"]) if rows else int(exported), [
        str(found["cycle_id"]) for found in rows
    ]


def exported_unit(after: int) -> Unit:
    return Unit.of(put_home_value(HomeValue.EXPORTED, str(after)))


async def read_all(database: Database) -> AsyncIterator[CycleEvent]:
    """Every event, oldest first, a page at a time."""
    last = 0
    while rows := await database.read(_EXPORT, (last, _PAGE)):
        for row in rows:
            yield _event(row)
        last = int(rows[-1]["id"])


async def old_events(
    database: Database, before: datetime, after: int
) -> tuple[list[int], int | None]:
    """Old rows among the next ones after row `after`, and the last row if more may be old."""
    rows = await database.read(
        "SELECT id, at FROM cycle_events WHERE id > ? ORDER BY id LIMIT ?", (after, PURGED_AT_ONCE)
    )
    old = [int(row["id"]) for row in rows if row["at"] < format_utc(before)]
    return old, int(rows[-1]["id"]) if old and len(rows) == PURGED_AT_ONCE else None


def purge_events(events: Sequence[int]) -> Unit:
    ids = json.dumps(list(events))
    return Unit.of(
        Write(
            "DELETE FROM cycle_events WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
            (ids,),
        )
    )


def _params(event: CycleEvent) -> Params:
    return (
        event.cycle_id,
        event.parent_id,
        event.turn,
        event.step,
        event.type.value,
        format_utc(event.at),
        event.session_id,
        event.person,
        event.agent,
        int(event.learned.reach is Reach.DM),
        event.learned.reach,
        event.learned.channel,
        event.duration_ms,
        # Escaped, because lone surrogates of broken input could not be bound.
        _ENCODE(event.data),
    )


def _event(row: Row) -> CycleEvent:
    return made_of(
        CycleEvent,
        row,
        type=CycleEventType(row["type"]),
        at=parse_utc(row["at"]),
        data=json.loads(row["data"]),
        learned=_learned(row),
    )


def _learned(row: Row) -> Learned:
    """The place of an event.

    For events older than this column, only direct messages are known.
    """
    if row["reach"] is None:
        return IN_DM if row["private"] else Learned(Reach.PRIVATE)
    return Learned.of(row)
