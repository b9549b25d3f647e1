"""SQL that deletes rows older than `sessions.keep_days` and frees their space, and ends old work.

The work is that of a restored copy: what is unfinished is listed and given up.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write, read_number
from bot.storage.inserts import purge_of
from bot.storage.values import HomeValue, PersonValue, drop_home_values, drop_person_values

AT_ONCE = 100
"""Rows that one unit deletes, so that running turns never wait behind it."""
PAGES_AT_ONCE = 64
SPARE_PAGES = 256
"""Free pages that stay in the file for the next writes."""


@dataclass(frozen=True)
class OldMessage:
    """A visible message that was written long ago."""

    id: int
    key: str


async def old_messages(
    database: Database, before: datetime, after: int
) -> tuple[list[OldMessage], int | None]:
    """Old messages among the next ones after row `after`, and the last row that was checked.

    None when none of them was old: the table is in the order of acceptance, so the rest is newer
    still.
    """
    rows = await database.read(
        "SELECT messages.id, messages.key, messages.at, inbox.id AS turn FROM messages"
        " LEFT JOIN inbox ON inbox.key = messages.key WHERE messages.id > ?"
        " ORDER BY messages.id LIMIT ?",
        (after, AT_ONCE),
    )
    moment = format_utc(before)
    old = [row for row in rows if row["at"] < moment]
    # A message with a turn still says in which place it was read.
    gone = [OldMessage(row["id"], row["key"]) for row in old if row["turn"] is None]
    return gone, rows[-1]["id"] if old else None


def purge_messages(messages: Collection[int]) -> Unit:
    ids = json.dumps(list(messages))
    sql = "DELETE FROM messages WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))"
    return Unit.of(Write(sql, (ids,)))


purge_sends = purge_of("outbox", "key", "created_at", "state <> 'pending'")


async def free_pages(database: Database) -> int:
    return await read_number(database, "SELECT freelist_count FROM pragma_freelist_count()")


def give_back(pages: int) -> Unit:
    """Cut free pages off the file. The driver lets each statement free one."""
    return Unit((Write("PRAGMA incremental_vacuum(1)"),) * min(pages, PAGES_AT_ONCE))


_WHY = "restored from a backup without the work that was open in it"


@dataclass(frozen=True)
class OpenWork:
    """Open work of a database: accepted and unsettled, or not yet accepted by a platform."""

    turns: int
    sends: int

    def __bool__(self) -> bool:
        return bool(self.turns or self.sends)


async def open_work(database: Database) -> OpenWork:
    row = await database.read_one(
        "SELECT (SELECT count(*) FROM inbox WHERE settled_at IS NULL) AS turns,"
        " (SELECT count(*) FROM outbox WHERE state = 'pending') AS sends"
    )
    return OpenWork(int(row["turns"]), int(row["sends"])) if row else OpenWork(0, 0)


def begin_anew(now: datetime) -> Unit:
    """Give up open work, earlier messages and mail: none of it is done, sent or read again."""
    at = format_utc(now)
    return Unit.of(
        Write("UPDATE questions SET state = 'dropped', closed_at = ? WHERE state = 'open'", (at,)),
        Write("UPDATE approvals SET state = 'expired', decided_at = ? WHERE state = 'open'", (at,)),
        Write(
            "UPDATE inbox SET state = 'failed', error = ?, settled_at = ? WHERE settled_at IS NULL",
            (_WHY, at),
        ),
        Write("UPDATE outbox SET state = 'dropped', error = ? WHERE state = 'pending'", (_WHY,)),
        Write("DELETE FROM recovery_marks"),
        drop_home_values(HomeValue.HEARD_UNTIL),
        drop_person_values(PersonValue.LOOKED_AT),
        Write("DELETE FROM unanswered"),
    )
