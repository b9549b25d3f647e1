"""The files of unfinished turns: the SQL of the files in data/blobs and their owners."""

import json
from collections.abc import Iterable
from typing import Any

from bot.domain.database import Database, Row, Write
from bot.domain.step_keys import StepKind
from bot.tools.permission.plans_store import PLAN_CALLS


def attachment_write(
    turn: int, position: int, name: str, mime: str, size: int, blob: str, person: str
) -> Write:
    return Write(
        "INSERT INTO attachments (turn, position, name, mime, size, blob, person)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (turn, position) DO NOTHING",
        (turn, position, name, mime, size, blob, person),
    )


def settled_write(taking: Iterable[str]) -> Write:
    """Forget the files of finished turns: the transcript contains the text read from them.

    While somebody still has to decide about a call of the tools `taking` files, or about a plan,
    which may have such a call, all stay.
    """
    return Write(
        "DELETE FROM attachments WHERE NOT EXISTS"
        " (SELECT 1 FROM inbox WHERE inbox.id = attachments.turn AND inbox.settled_at IS NULL)"
        " AND NOT EXISTS (SELECT 1 FROM approvals WHERE state IN ('open', 'approved') AND tool IN"
        " (SELECT value FROM json_each(?)))",
        (json.dumps(sorted({PLAN_CALLS, *taking})),),
    )


async def attached(database: Database, person: str, turn: int) -> list[Row]:
    """Name, blob and media type of a sender's stored files in one turn, newest first."""
    return await database.read(
        "SELECT name, blob, mime FROM attachments WHERE person = ? AND turn = ?"
        " ORDER BY position DESC",
        (person, turn),
    )


async def kept_bytes(database: Database, person: str) -> tuple[int, int]:
    """The size in bytes of stored files: this person's, and everybody's."""
    row = await database.read_one(
        "SELECT coalesce(sum(size) FILTER (WHERE person = ?), 0) AS own,"
        " coalesce(sum(size), 0) AS whole FROM attachments",
        (person,),
    )
    return (int(row["own"]), int(row["whole"])) if row else (0, 0)


async def needed_blobs(database: Database) -> frozenset[str]:
    """Blobs that unfinished turns read or hand over, and those of pending messages and cards."""
    rows = await database.read("SELECT DISTINCT blob FROM attachments")
    messages = await database.read(
        "SELECT message FROM outbox WHERE state = 'pending' AND message LIKE '%\"blob\"%'"
        " UNION ALL SELECT message FROM cards WHERE message LIKE '%\"blob\"%'"
    )
    handed = await database.read(
        "SELECT steps.value FROM inbox JOIN steps ON steps.turn = inbox.id"
        " WHERE inbox.settled_at IS NULL AND steps.state = 'done' AND steps.key LIKE ?",
        (f"%{StepKind.HAND}:%",),
    )
    found = {str(row["blob"]) for row in rows}
    found |= {blob for row in handed if (blob := _blob_in(row["value"]))}
    for row in messages:
        message: dict[str, Any] = json.loads(row["message"])
        found |= {str(file["blob"]) for file in message.get("files") or ()}
    return frozenset(found)


def _blob_in(value: str) -> str:
    """The blob that a step names; empty for another kind of step."""
    try:
        found: dict[str, Any] = json.loads(value)
        return str(found["blob"])
    except (ValueError, KeyError, TypeError):  # a damaged step names nothing
        return ""


async def named_by_open_work(database: Database, name: str) -> bool:
    """Whether an unanswered message names this file."""
    row = await database.read_one(
        "SELECT 1 FROM inbox WHERE settled_at IS NULL AND instr(body, ?) > 0 LIMIT 1", (name,)
    )
    return row is not None
