"""What somebody was last shown of a staged tool or skill."""

from bot.domain.database import Database, Unit
from bot.storage.values import PersonValue, person_value, put_person_value


async def record_shown(database: Database, person: str, name: str, content: str) -> None:
    """Record that this person saw all of a name's staged content in its current version."""
    await database.write(Unit.of(put_person_value(person, PersonValue.SHOWN, content, name)))


async def shown_content(database: Database, person: str, name: str) -> str | None:
    """The hash of the content that this person saw last; None if they saw nothing."""
    return await person_value(database, person, PersonValue.SHOWN, name)
