"""The SQL of sessions that move between processes; see `bot.turns.store`."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Read, Row, Unit, Write
from bot.turns.unsettled_store import PROVED_NOTHING, UnsettledTurn

READ_AT_ONCE = 200
"""The most unsettled turns of one session that are looked at together; begun ones come first."""
_OPEN = (
    "SELECT i.id, i.session, i.state, i.due, i.deaths, i.trial, i.stop, c.owner FROM inbox AS i"
    " LEFT JOIN claims AS c ON c.session = i.session"
    " WHERE i.session = ? AND i.settled_at IS NULL"
    " ORDER BY CASE i.state WHEN 'new' THEN 1 ELSE 0 END, i.id LIMIT ?"
)


@dataclass(frozen=True)
class OpenRows:
    """The open rows of one session."""

    turns: tuple[UnsettledTurn, ...] = ()
    stopped: frozenset[int] = frozenset()
    """Turns that a person told to stop."""
    owner: str | None = None
    """The last owner of the session; None if nobody has claimed it."""

    @property
    def more(self) -> bool:
        """Whether there may be turns that were not read."""
        return len(self.turns) == READ_AT_ONCE


async def read_session(database: Database, session: str) -> OpenRows:
    return _open_rows(await database.read(_OPEN, (session, READ_AT_ONCE)))


def take_session(session: str, owner: str, error: str) -> Unit:
    """Claim a session anew; its previous owner can no longer write for it.

    Its turns that were running resume. Read the last write with `read_taken`.
    """
    return Unit.of(
        Write(
            "INSERT INTO claims (session, owner, epoch) VALUES (?, ?, 1) ON CONFLICT (session)"
            " DO UPDATE SET owner = excluded.owner, epoch = claims.epoch + 1",
            (session, owner),
        ),
        Write(
            "UPDATE inbox SET state = 'ready', due = NULL, error = ?, deaths = deaths + 1,"
            " trial = CASE trial WHEN 1 THEN ? ELSE trial END"
            " WHERE session = ? AND settled_at IS NULL AND state = 'running'",
            (error, PROVED_NOTHING, session),
        ),
        Write(_OPEN, (session, READ_AT_ONCE)),
    )


def read_taken(returned: tuple[tuple[Row, ...], ...]) -> OpenRows:
    return _open_rows(returned[-1])


def _open_rows(rows: Iterable[Row]) -> OpenRows:
    rows = list(rows)
    return OpenRows(
        tuple(UnsettledTurn.of(row) for row in rows),
        frozenset(row["id"] for row in rows if row["stop"]),
        rows[0]["owner"] if rows else None,
    )


async def is_running(database: Database, session: str) -> bool:
    row = await database.read_one(
        "SELECT 1 AS n FROM inbox WHERE session = ? AND settled_at IS NULL AND state = 'running'"
        " LIMIT 1",
        (session,),
    )
    return row is not None


# --- due work ---


def idle(now: datetime) -> Read:
    """The sessions that have something to do."""
    return Read(
        "SELECT DISTINCT session FROM inbox"
        " WHERE settled_at IS NULL AND state IN ('new', 'ready') AND (due IS NULL OR due <= ?)",
        (format_utc(now),),
    )


def due(now: datetime) -> Read:
    """The sessions of work that is due now."""
    return Read(
        "SELECT DISTINCT session FROM inbox"
        " WHERE settled_at IS NULL AND state IN ('new', 'ready') AND due <= ?",
        (format_utc(now),),
    )


async def read_next_due(database: Database, after: datetime | None = None) -> datetime | None:
    """When the next work is due; without `after`, this may be in the past."""
    row = await database.read_one(
        "SELECT min(due) AS due FROM inbox WHERE settled_at IS NULL AND state IN ('new', 'ready')"
        " AND due > ?",
        (format_utc(after) if after else "",),
    )
    return parse_utc(row["due"]) if row and row["due"] else None


# --- workers ---


def owner_name(worker: int) -> str:
    """The name of a worker, in claims and as a lock."""
    return f"worker {worker}"


async def read_owners(database: Database) -> set[str]:
    """The owners of turns that are on record as running."""
    rows = await database.read(
        "SELECT DISTINCT c.owner FROM inbox AS i JOIN claims AS c ON c.session = i.session"
        " WHERE i.settled_at IS NULL AND i.state = 'running'"
    )
    return {row["owner"] for row in rows}


def bury_owner(owner: str, error: str) -> Unit:
    """Let turns resume that ran in a process when it ended, see `unsettled_store.take_over`."""
    return Unit.of(
        Write(
            "UPDATE inbox SET trial = ? WHERE settled_at IS NULL AND state = 'running' AND trial ="
            " 1 AND session IN (SELECT session FROM claims WHERE owner = ?)"
            " AND EXISTS (SELECT 1 FROM inbox AS beside WHERE beside.settled_at IS NULL"
            " AND beside.state = 'running' AND beside.id <> inbox.id"
            " AND beside.session IN (SELECT session FROM claims WHERE owner = ?))",
            (PROVED_NOTHING, owner, owner),
        ),
        Write(
            "UPDATE inbox SET state = 'ready', due = NULL, error = ?, deaths = deaths + 1,"
            " trial = CASE trial WHEN 1 THEN 2 ELSE trial END"
            " WHERE settled_at IS NULL AND state = 'running'"
            " AND session IN (SELECT session FROM claims WHERE owner = ?)",
            (error, owner),
        ),
        Write("UPDATE claims SET owner = '', epoch = epoch + 1 WHERE owner = ?", (owner,)),
    )
