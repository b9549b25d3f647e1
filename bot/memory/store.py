"""The tables known_facts (migration 0006) and forgotten_words (0066)."""

from bot.domain.database import Database, Row, Unit, Write

_PUT = (
    "INSERT INTO known_facts (session_id, key, fact, history, updated_at) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (session_id, key) DO UPDATE SET"
    " fact = excluded.fact, history = excluded.history, updated_at = excluded.updated_at"
)
_READ = "SELECT key, fact, history FROM known_facts WHERE session_id = ? ORDER BY updated_at, key"
_DROP = "DELETE FROM known_facts WHERE session_id = ?"


async def fact_rows(database: Database, session_id: str) -> list[Row]:
    """Facts and their history as JSON texts, oldest first."""
    return await database.read(_READ, (session_id,))


def put_fact(session_id: str, key: str, fact: str, history: str, updated_at: str) -> Write:
    return Write(_PUT, (session_id, key, fact, history, updated_at), rows=1)


def drop_fact(session_id: str, key: str) -> Write:
    return Write("DELETE FROM known_facts WHERE session_id = ? AND key = ?", (session_id, key))


def drop_facts(session_id: str) -> Unit:
    """Also returns the words by which some of them were forgotten."""
    return Unit.of(
        Write(_DROP, (session_id,)),
        Write("DELETE FROM forgotten_words WHERE session_id = ?", (session_id,)),
    )


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
