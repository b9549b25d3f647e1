"""Final answers and their receipts in the journal: the SQL of the checks at run time."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Row, Write
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.step_keys import ANSWER, APOLOGY
from bot.turns.store import body_of


@dataclass(frozen=True)
class SentAnswer:
    """The final answer of a settled turn.

    `receipt` is its step's result; None: only the intent is on record.
    """

    turn: int
    body: JsonObject
    receipt: JsonObject | None
    settled: datetime


async def without_receipt(database: Database, since: datetime) -> list[SentAnswer]:
    """Turns settled since then whose answer was begun, never finished, and not replaced.

    The oldest first, and at most 500.
    """
    rows = await database.read(
        "SELECT inbox.id, inbox.body, inbox.settled_at, NULL AS value FROM inbox"
        " JOIN steps ON steps.turn = inbox.id AND steps.key = ?"
        " WHERE inbox.settled_at >= ? AND steps.state = 'started' AND NOT EXISTS (SELECT 1 FROM "
        "steps AS told"
        " WHERE told.turn = inbox.id AND told.key = ? AND told.state = 'done') ORDER BY "
        "inbox.settled_at LIMIT 500",
        (ANSWER, format_utc(since), APOLOGY),
    )
    return [_answer(row) for row in rows]


async def with_receipt(database: Database, since: datetime, until: datetime) -> list[SentAnswer]:
    """Turns settled between two moments whose answer a platform accepted, newest first."""
    rows = await database.read(
        "SELECT inbox.id, inbox.body, inbox.settled_at, steps.value FROM inbox"
        " JOIN steps ON steps.turn = inbox.id AND steps.key = ?"
        " WHERE inbox.settled_at >= ? AND inbox.settled_at < ? AND steps.state = 'done'"
        " ORDER BY inbox.settled_at DESC LIMIT 200",
        (ANSWER, format_utc(since), format_utc(until)),
    )
    return [_answer(row) for row in rows]


def receipt_write(turn: int, value: JsonValue) -> Write:
    """Finish the answer's step of a settled turn; touches no row if it is finished already."""
    return Write(
        (
            "UPDATE steps SET state = 'done', value = ? WHERE turn = ? AND key = ? AND state = "
            "'started'"
        ),
        (json.dumps(value), turn, ANSWER),
        rows=1,
    )


def _answer(row: Row) -> SentAnswer:
    return SentAnswer(row["id"], body_of(row), _receipt(row["value"]), parse_utc(row["settled_at"]))


def _receipt(text: str | None) -> JsonObject | None:
    """An unreadable receipt counts as none."""
    try:
        value = json.loads(text or "null")
    except ValueError:
        return None
    return cast("JsonObject", value) if isinstance(value, dict) else None
