"""SQL of the table `shown_contents`."""

from bot.domain.database import Database, Unit, Write


async def record_shown(database: Database, person: str, name: str, content: str) -> None:
    """Record that this person saw all of a name's staged content in its current version."""
    write = Write(
        "INSERT INTO shown_contents (person, name, content) VALUES (?, ?, ?)"
        " ON CONFLICT (person, name) DO UPDATE SET content = excluded.content",
        (person, name, content),
    )
    await database.write(Unit.of(write))


async def shown_content(database: Database, person: str, name: str) -> str | None:
    """The hash of the content that this person saw last; None if they saw nothing."""
    query = "SELECT content FROM shown_contents WHERE person = ? AND name = ?"
    row = await database.read_one(query, (person, name))
    return row["content"] if row else None
