"""The SQL of the words by which people had things forgotten."""

from bot.domain.database import Database, Row, Write


def put_forgotten(session_id: str, at: str, words: str) -> Write:
    return Write(
        "INSERT INTO forgotten_words (session_id, at, words) VALUES (?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (session_id, at, words),
    )


async def forgotten_rows(database: Database, session_id: str) -> list[Row]:
    return await database.read(
        "SELECT at, words FROM forgotten_words WHERE session_id = ?", (session_id,)
    )
