"""People and their conversations by the messages: SQL of `bot.sessions.people.directory`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import parse_utc
from bot.domain.database import Database
from bot.domain.origins import Trust

_AUTHORS = (
    "SELECT author, author_name, trust, id FROM messages WHERE id IN"
    " (SELECT max(id) FROM messages WHERE id > ? AND author NOT LIKE 'agent:%' GROUP BY author)"
    " ORDER BY id"
)
_PUBLIC = (
    "EXISTS (SELECT 1 FROM conversations AS place JOIN channels ON channels.key = place.platform "
    "|| ':'"
    " || place.workspace || ':' || CASE place.channel WHEN '' THEN place.id ELSE place.channel END"
    " WHERE place.key = messages.conversation AND channels.visibility = 'public' AND "
    "channels.was_private = 0"
    # A thread has a row of its own if it is closed.
    " AND NOT EXISTS (SELECT 1 FROM channels AS own WHERE place.channel <> '' AND own.key = "
    "place.key))"
)
_LAST = (
    "SELECT max(at) AS at FROM messages WHERE author IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants
    f" AND deleted_at IS NULL AND {_PUBLIC}"
)
_TOGETHER = (
    "SELECT messages.at, (SELECT title FROM conversations "  # noqa: S608
    "WHERE key = messages.conversation) AS title FROM messages"
    " WHERE author IN (SELECT value FROM json_each(?1)) AND deleted_at IS NULL"
    " AND EXISTS (SELECT 1 FROM messages AS own WHERE own.author = ?2 AND own.conversation = "
    "messages.conversation"
    "  AND own.deleted_at IS NULL)"
    f" AND {_PUBLIC} ORDER BY messages.at DESC LIMIT 1"
)


@dataclass(frozen=True)
class Author:
    """Somebody who wrote, with the name from their last message."""

    person: str
    name: str
    last: int
    """Number of their last message."""
    trust: Trust
    """Of that message: it tells whether they were a member."""


async def authors_since(database: Database, message: int) -> list[Author]:
    """Authors after the message with this number."""
    rows = await database.read(_AUTHORS, (message,))
    return [
        Author(
            str(row["author"]),
            str(row["author_name"]),
            int(row["id"]),
            Trust[str(row["trust"]).upper()],
        )
        for row in rows
    ]


async def last_public(database: Database, persons: Sequence[str]) -> datetime | None:
    """When one of these persons last wrote in a place that all members can read."""
    row = await database.read_one(_LAST, (json.dumps(list(persons)),))
    return parse_utc(row["at"]) if row and row["at"] else None


async def last_together(
    database: Database, asker: str, persons: Sequence[str]
) -> tuple[datetime, str] | None:
    """The same, for places where the asker wrote as well; with the title of that place."""
    row = await database.read_one(_TOGETHER, (json.dumps(list(persons)), asker))
    return (parse_utc(row["at"]), str(row["title"] or "")) if row else None
