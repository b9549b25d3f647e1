"""A restored copy: the SQL that lists its unfinished work and gives it up."""

from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write
from bot.storage.values import HomeValue, drop_home_values

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
    """Give up open work and earlier messages: none of it is done, sent or read again."""
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
        Write("DELETE FROM unanswered"),
    )
