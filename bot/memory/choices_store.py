"""What people choose: from whom and where nothing may be learned, and what all may know.

The tables memory_choices, and `shares`: who put an entry into shared memory by their own yes.
"""

from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Condition, Database, Write

EVERYBODY = ""
EVERYWHERE = ""


def choose(person: str, channel: str, now: datetime, *, learns: bool) -> Write:
    """`person` may be EVERYBODY, `channel` EVERYWHERE.

    Switching on a choice that was never off changes nothing.
    """
    if learns:
        return Write(
            (
                "UPDATE memory_choices SET learns = 1, changed_at = ? WHERE person = ? AND channel "
                "= ? AND learns = 0"
            ),
            (format_utc(now), person, channel),
        )
    return Write(
        "INSERT INTO memory_choices (person, channel, learns, changed_at) VALUES (?, ?, 0, ?)"
        " ON CONFLICT (person, channel) DO UPDATE SET learns = 0, changed_at = excluded.changed_at "
        "WHERE memory_choices.learns = 1",
        (person, channel, format_utc(now)),
    )


def allows(person: str, channel: str, since: datetime) -> Condition:
    """No choice forbids learning from a person's words in a channel from `since` on.

    A conversation that began while learning was off stays unlearned afterwards.
    """
    return Condition(
        "NOT EXISTS (SELECT 1 FROM memory_choices WHERE (person = ? AND channel = ''"
        " OR person = '' AND channel = ?) AND (learns = 0 OR changed_at >= ?))",
        (person, channel, format_utc(since)),
    )


async def forbids(database: Database, person: str, channel: str, since: datetime) -> bool:
    """Whether a choice forbids it now."""
    allowed = allows(person, channel, since)
    found = await database.read_one(f"SELECT 1 AS allowed WHERE {allowed.sql}", allowed.params)
    return found is None


async def is_off(database: Database, person: str) -> bool:
    """Whether a person chose that nothing is learned from them, anywhere."""
    sql = "SELECT 1 FROM memory_choices WHERE person = ? AND channel = ? AND learns = 0"
    return await database.read_one(sql, (person, EVERYWHERE)) is not None


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
