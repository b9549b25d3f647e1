"""The table memory_choices: the places and people from whom nothing may be learned."""

from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Write

EVERYBODY = ""
EVERYWHERE = ""


def choose(person: str, channel: str, now: datetime, *, learns: bool) -> Write:
    """`person` may be EVERYBODY, `channel` EVERYWHERE.

    Switching on a choice that was never off changes nothing.
    """
    if learns:
        return Write(
            (
                "UPDATE memory_choices SET learns = 1, changed_at = ? WHERE person = ? AND channel "
                "= ? AND learns = 0"
            ),
            (format_utc(now), person, channel),
        )
    return Write(
        "INSERT INTO memory_choices (person, channel, learns, changed_at) VALUES (?, ?, 0, ?)"
        " ON CONFLICT (person, channel) DO UPDATE SET learns = 0, changed_at = excluded.changed_at "
        "WHERE memory_choices.learns = 1",
        (person, channel, format_utc(now)),
    )


async def forbids(database: Database, person: str, channel: str, since: datetime) -> bool:
    """Whether a choice forbids learning from a person's words in a channel from `since` on.

    A conversation that began while learning was off stays unlearned afterwards.
    """
    rows = await database.read(
        "SELECT learns, changed_at FROM memory_choices WHERE (person = ? AND channel = '')"
        " OR (person = '' AND channel = ?)",
        (person, channel),
    )
    return any(not row["learns"] or since <= parse_utc(row["changed_at"]) for row in rows)
