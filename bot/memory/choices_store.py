"""What people choose: from whom and where nothing may be learned, and what all may know.

All of it are values of people, in person_values.
"""

from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Condition, Database, Write
from bot.storage.values import PersonValue, person_value, put_person_value

EVERYBODY = ""
EVERYWHERE = ""
_OFF = "off"


def choose(person: str, channel: str, now: datetime, *, learns: bool) -> Write:
    """`person` may be EVERYBODY, `channel` EVERYWHERE.

    Switching on a choice that was never off changes nothing.
    """
    if not learns:
        return put_person_value(person, PersonValue.LEARNING, _OFF, channel)
    return Write(
        "UPDATE person_values SET value = ?"
        " WHERE person = ? AND name = ? AND key = ? AND value = ?",
        (format_utc(now), person, PersonValue.LEARNING, channel, _OFF),
    )


def allows(person: str, channel: str, since: datetime) -> Condition:
    """No choice forbids learning from a person's words in a channel from `since` on.

    A conversation that began while learning was off stays unlearned afterwards.
    """
    return Condition(
        "NOT EXISTS (SELECT 1 FROM person_values WHERE name = ? AND (person = ? AND key = ''"
        " OR person = '' AND key = ?) AND (value = ? OR value >= ?))",
        (PersonValue.LEARNING, person, channel, _OFF, format_utc(since)),
    )


async def forbids(database: Database, person: str, channel: str, since: datetime) -> bool:
    """Whether a choice forbids it now."""
    allowed = allows(person, channel, since)
    found = await database.read_one(f"SELECT 1 AS allowed WHERE {allowed.sql}", allowed.params)
    return found is None


async def is_off(database: Database, person: str) -> bool:
    """Whether a person chose that nothing is learned from them, anywhere."""
    return await person_value(database, person, PersonValue.LEARNING, EVERYWHERE) == _OFF


def share_write(ref: str, person: str, workspace: str, now: datetime) -> Write:
    """Recording the same share again changes nothing."""
    return Write(
        "INSERT INTO person_values (person, name, key, value) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (person, name, key) DO NOTHING",
        (person, PersonValue.SHARED, ref, f"{format_utc(now)} {workspace}"),
    )


def unshare_write(ref: str) -> Write:
    return Write("DELETE FROM person_values WHERE name = ? AND key = ?", (PersonValue.SHARED, ref))


async def sharer_of(database: Database, ref: str) -> str | None:
    """The person who shared it; None for an unknown reference."""
    sql = "SELECT person FROM person_values WHERE name = ? AND key = ?"
    row = await database.read_one(sql, (PersonValue.SHARED, ref))
    return None if row is None else str(row["person"])


async def shares_of(database: Database, person: str) -> list[str]:
    """References of what a person has shared, oldest first."""
    sql = "SELECT key FROM person_values WHERE person = ? AND name = ? ORDER BY value, key"
    rows = await database.read(sql, (person, PersonValue.SHARED))
    return [str(row["key"]) for row in rows]
