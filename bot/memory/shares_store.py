"""The table `shares`: who put an entry into shared memory by their own yes."""

from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Write


def share_write(ref: str, person: str, workspace: str, now: datetime) -> Write:
    """Recording the same share again changes nothing."""
    return Write(
        "INSERT INTO shares (ref, person, workspace, at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (ref) DO NOTHING",
        (ref, person, workspace, format_utc(now)),
    )


def unshare_write(ref: str) -> Write:
    return Write("DELETE FROM shares WHERE ref = ?", (ref,))


async def sharer_of(database: Database, ref: str) -> str | None:
    """The person who shared it; None for an unknown reference."""
    row = await database.read_one("SELECT person FROM shares WHERE ref = ?", (ref,))
    return None if row is None else str(row["person"])


async def shares_of(database: Database, person: str) -> list[str]:
    """References of what a person has shared, oldest first."""
    rows = await database.read(
        "SELECT ref FROM shares WHERE person = ? ORDER BY at, ref", (person,)
    )
    return [str(row["ref"]) for row in rows]
