"""The SQL of the words by which people had things forgotten."""

import json
from collections.abc import Sequence

from bot.domain.database import Database, Row, Write


def put_forgotten(session_id: str, at: str, words: str) -> Write:
    return Write(
        "INSERT INTO forgotten_words (session_id, at, words) VALUES (?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (session_id, at, words),
    )


async def forgotten_rows(database: Database, session_ids: Sequence[str]) -> list[Row]:
    return await database.read(
        "SELECT at, words FROM forgotten_words"
        " WHERE session_id IN (SELECT value FROM json_each(?))",
        (json.dumps([*session_ids]),),
    )
