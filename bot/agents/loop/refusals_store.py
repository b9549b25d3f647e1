"""The table refused_content: what models refused to read."""

from datetime import datetime, timedelta

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write

KEPT = timedelta(days=30)
"""A model behind the same name may change: after that it is asked again."""


async def refused_content(database: Database, now: datetime) -> list[tuple[str, str]]:
    """Model and what it refused: `pictures`, or the hash of one."""
    rows = await database.read(
        "SELECT model, what FROM refused_content WHERE at >= ?", (format_utc(now - KEPT),)
    )
    return [(row["model"], row["what"]) for row in rows]


def refused_unit(model: str, refused: frozenset[str], now: datetime) -> Unit:
    """Remember what a model refused, and forget what was long ago."""
    put = (
        "INSERT INTO refused_content (model, what, at) VALUES (?, ?, ?)"
        " ON CONFLICT (model, what) DO UPDATE SET at = excluded.at"
    )
    old = Write("DELETE FROM refused_content WHERE at < ?", (format_utc(now - KEPT),))
    return Unit.of(old, *(Write(put, (model, what, format_utc(now))) for what in sorted(refused)))
