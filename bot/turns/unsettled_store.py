"""Accepted and unsettled work, selected by the prefix of its key (SQL of this room)."""

from dataclasses import dataclass

from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.turns.store import body_of


@dataclass(frozen=True)
class UnsettledWork:
    """An inbox row that waits (`new`) or was begun."""

    turn: int
    session: str
    body: JsonObject
    state: str


async def unsettled(database: Database, prefix: str) -> list[UnsettledWork]:
    """In order of acceptance. `prefix` ends in a colon."""
    after = f"{prefix[:-1]};"  # the character after the colon
    rows = await database.read(
        "SELECT * FROM inbox WHERE settled_at IS NULL AND key >= ? AND key < ? ORDER BY id",
        (prefix, after),
    )
    found = (UnsettledWork(row["id"], row["session"], body_of(row), row["state"]) for row in rows)
    return [work for work in found if work.body]
