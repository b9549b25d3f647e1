"""The SQL of records: of one piece of work for people who ask about it, of all for a monitor.

A monitor gets figures: no texts, no people.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Row, made_of, read_number
from bot.domain.turns import AskedQuestion, TurnRecord
from bot.turns.refs import make_ref, number_in
from bot.turns.store import body_of, read_steps


async def find_named(database: Database, name: str) -> TurnRecord | None:
    """The record of a turn, by its reference, its question's reference or its event's key."""
    if ":" in name:
        return await _find(database, key=name)
    turn, question = number_in("t", name), number_in("q", name)
    if question is not None:
        asked = await database.read_one("SELECT turn FROM questions WHERE id = ?", (question,))
        turn = int(asked["turn"]) if asked else None
    return None if turn is None else await _find(database, turn=turn)


async def _find(
    database: Database, *, turn: int | None = None, key: str | None = None
) -> TurnRecord | None:
    row = await database.read_one("SELECT * FROM inbox WHERE id = ? OR key = ?", (turn, key))
    return await _recorded(database, row) if row else None


async def count_open(database: Database, now: datetime) -> int:
    """The number of queued turns in all sessions, without those due later."""
    return await read_number(
        database,
        (
            "SELECT count(*) AS n FROM inbox WHERE settled_at IS NULL AND state = 'new' AND (due "
            "IS NULL OR due <= ?)"
        ),
        (format_utc(now),),
    )


async def _recorded(database: Database, row: Row) -> TurnRecord:
    turn = int(row["id"])
    asked = await database.read("SELECT * FROM questions WHERE turn = ? ORDER BY id", (turn,))
    steps = (
        await read_steps(database, turn)
    ).past  # after the questions: an answered one has its answer
    return made_of(
        TurnRecord,
        row,
        id=turn,
        ref=make_ref("t", turn),
        body=body_of(row),
        stop=bool(row["stop"]),
        due=_moment(row["due"]),
        accepted_at=parse_utc(row["accepted_at"]),
        settled_at=_moment(row["settled_at"]),
        joined_to=make_ref("t", row["joined_to"]) if row["joined_to"] else None,
        behind=await _behind(database, row),
        steps={key: past.value for key, past in steps.items() if past.done},
        begun=tuple(key for key, past in steps.items() if not past.done),
        questions=tuple(
            AskedQuestion(
                make_ref("q", item["id"]),
                item["text"],
                item["state"],
                parse_utc(item["asked_at"]),
                _moment(item["closed_at"]),
                item["step"],
            )
            for item in asked
        ),
    )


async def _behind(database: Database, row: Row) -> str | None:
    if row["settled_at"] is not None:
        return None
    ahead = await database.read_one(
        (
            "SELECT id FROM inbox WHERE session = ? AND settled_at IS NULL AND id < ? ORDER BY id "
            "LIMIT 1"
        ),
        (row["session"], row["id"]),
    )
    return make_ref("t", ahead["id"]) if ahead else None


def _moment(text: str | None) -> datetime | None:
    return None if text is None else parse_utc(text)


AT_ONCE = 1_000


@dataclass(frozen=True)
class SettledTurn:
    """A turn that is over, answered or given up."""

    id: int
    failed: bool
    settled_at: datetime
    seconds: float | None
    """From when it could begin until it was over; None: it waited for a person's answer."""


async def settled_since(database: Database, since: datetime) -> Sequence[SettledTurn]:
    """Those that were settled at or after a moment, oldest first; at most `AT_ONCE`."""
    rows = await database.read(
        "SELECT id, state, accepted_at, due, settled_at,"
        " EXISTS (SELECT 1 FROM questions WHERE questions.turn = inbox.id) AS asked"
        " FROM inbox WHERE settled_at >= ? AND state IN ('done', 'failed')"
        " ORDER BY settled_at, id LIMIT ?",
        (format_utc(since), AT_ONCE),
    )
    turns: list[SettledTurn] = []
    for row in rows:
        settled = parse_utc(row["settled_at"])
        begins = max(parse_utc(row["accepted_at"]), parse_utc(row["due"] or row["accepted_at"]))
        seconds = None if row["asked"] else max((settled - begins).total_seconds(), 0.0)
        turns.append(SettledTurn(int(row["id"]), row["state"] == "failed", settled, seconds))
    return turns


async def oldest_waiting(database: Database, now: datetime) -> datetime | None:
    """Since when the oldest queued turn could have begun."""
    at = format_utc(now)
    row = await database.read_one(
        "SELECT MIN(CASE WHEN due > accepted_at THEN due ELSE accepted_at END) AS since FROM inbox"
        " WHERE settled_at IS NULL AND state = 'new' AND (due IS NULL OR due <= ?)",
        (at,),
    )
    return parse_utc(row["since"]) if row and row["since"] else None
