"""The table cycle_events: how events are written, and what a row of it is."""

import json
from collections.abc import Sequence
from itertools import chain

from bot.clock import format_utc, parse_utc
from bot.domain.cycles import CycleEvent, CycleEventType
from bot.domain.database import Database, Params, Row, Unit, Write, made_of, read_number
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, Learned

_TABLE = "cycle_events"
COLUMNS = (
    "cycle_id, parent_id, turn, step, type, at, session_id, person, agent, private, reach, "
    "channel, duration_ms, data"
)
_COLUMN_COUNT = 14
_ROWS_AT_ONCE = 8
"""The most events of one statement: each number of rows is a statement of its own to compile."""
_REPLIES_AT_ONCE = 1_000
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode


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
        INSERT INTO cycle_events ({COLUMNS})
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
        (event, CycleEventType.LLM_RESPONSE.value, _REPLIES_AT_ONCE),
    )
    return [(int(row["id"]), json.loads(row["data"]).get("error") is not None) for row in rows]


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


def event_of(row: Row) -> CycleEvent:
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
