"""The SQL of whose preferences were moved by an upgrade, until they are told."""

from bot.domain.database import Database, Write


async def were_moved(database: Database, person: str) -> bool:
    """Whether the person's preferences were moved and they don't know it yet."""
    return (
        await database.read_one(
            "SELECT 1 AS found FROM moved_preferences WHERE person = ?", (person,)
        )
        is not None
    )


def told_write(person: str) -> Write:
    return Write("DELETE FROM moved_preferences WHERE person = ?", (person,), rows=1)
