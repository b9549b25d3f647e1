"""Whose preferences were moved by an upgrade, until they are told."""

from bot.domain.database import Database, Write
from bot.storage.values import PersonValue, drop_person_value, person_value


async def were_moved(database: Database, person: str) -> bool:
    """Whether the person's preferences were moved and they don't know it yet."""
    return await person_value(database, person, PersonValue.MOVED) is not None


def told_write(person: str) -> Write:
    return drop_person_value(person, PersonValue.MOVED, rows=1)
