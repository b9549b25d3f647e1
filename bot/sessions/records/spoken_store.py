"""What a person said, and the answers to them, in all conversations (table messages)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Row, Write, read_number
from bot.domain.messages import Conversation, Place
from bot.sessions.records.conversation_store import VisibleMessage, visible_in


@dataclass(frozen=True)
class SpokenMessage:
    """A message of a person, or an answer to them, and where it was said."""

    message: VisibleMessage
    conversation: Conversation


PLACE_COLUMNS = "c.platform, c.workspace, c.id AS place_id, c.place, c.title, c.channel"
"""What `place_in` reads of a conversation `c`."""
_COLUMNS = (
    f"SELECT m.id, m.author, m.author_name, m.trust, m.addressee, m.text, m.at,"
    f" m.beside, {PLACE_COLUMNS}"
)
_OWN = "author = ? AND deleted_at IS NULL"
_ANSWER = "addressee = ? AND addressee <> '' AND author LIKE 'agent:%' AND deleted_at IS NULL"
_SAID = f"""
{_COLUMNS}
FROM (SELECT * FROM (SELECT * FROM messages WHERE {_OWN} AND key != ? AND at >= ? AND at < ?
                     ORDER BY id DESC LIMIT ?) AS own
      UNION ALL
      SELECT * FROM (SELECT * FROM messages WHERE {_ANSWER} AND aside = 0 AND at >= ? AND at < ?
                     ORDER BY id DESC LIMIT ?) AS answers) AS m
JOIN conversations AS c ON c.key = m.conversation ORDER BY m.id DESC
"""  # noqa: S608 - the parts are ours
_SAID_AS = f"""
{_COLUMNS}
FROM messages AS m JOIN conversations AS c ON c.key = m.conversation
WHERE m.id = ? AND (({_OWN}) OR ({_ANSWER}))
"""
_UNSAY = f"UPDATE messages SET text = '', deleted_at = ? WHERE id = ? AND (({_OWN}) OR ({_ANSWER}))"  # noqa: S608
_EVER = ("", "~")
"""Sorts before, and behind, every moment that is written as text."""


async def said_with(
    database: Database,
    person: str,
    limit: int,
    *,
    besides: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[SpokenMessage]:
    """A person's latest `limit` messages except `besides`, and as many answers to them.

    From `since` up to, not including, `until`.
    """
    time = (
        format_utc(since) if since else _EVER[0],
        format_utc(until) if until else _EVER[1],
        limit,
    )
    rows = await database.read(_SAID, (person, besides, *time, person, *time))
    return [_said(row) for row in rows]


async def wrote_at(
    database: Database, person: str, channels: Sequence[str], conversation: str, besides: str
) -> list[datetime]:
    """When a person last wrote in some channels or, if it is given, in one conversation.

    The newest come first, at most 100; `besides` is the key of a message that doesn't count.
    """
    rows = await database.read(
        "SELECT m.at FROM messages AS m JOIN conversations AS c ON c.key = m.conversation"
        " WHERE m.author = ? AND m.key <> ? AND c.place <> 'dm'"
        " AND CASE WHEN ? <> '' THEN m.conversation = ? ELSE c.platform || ':' || c.workspace"
        " || ':' || CASE c.channel WHEN '' THEN c.id ELSE c.channel END"
        " IN (SELECT value FROM json_each(?)) END ORDER BY m.id DESC LIMIT 100",
        (person, besides, conversation, conversation, json.dumps(list(channels))),
    )
    return [parse_utc(row["at"]) for row in rows]


async def said_as(database: Database, person: str, number: int) -> SpokenMessage | None:
    """The message in this row, if this person wrote it or it answers them."""
    row = await database.read_one(_SAID_AS, (number, person, person))
    return None if row is None else _said(row)


_SAID_AFTER = f"""
{_COLUMNS}
FROM messages AS m JOIN conversations AS c ON c.key = m.conversation
WHERE m.id > ? AND m.text <> '' AND (({_OWN}) OR ({_ANSWER})) ORDER BY m.id LIMIT ?
"""


async def said_after(
    database: Database, person: str, number: int, limit: int
) -> list[SpokenMessage]:
    """A person's messages and the answers to them after row `number`, oldest first."""
    return [_said(row) for row in await database.read(_SAID_AFTER, (number, person, person, limit))]


async def said_count(database: Database, person: str) -> int:
    """The number of messages that `said_after` returns in all."""
    return await read_number(
        database,
        f"SELECT count(*) AS n FROM messages WHERE text <> '' AND (({_OWN}) OR ({_ANSWER}))",  # noqa: S608
        (person, person),
    )


def unsay_write(person: str, number: int, now: datetime) -> Write:
    """Forget the text of a message that this person wrote, or that answers them."""
    return Write(_UNSAY, (format_utc(now), number, person, person))


def place_in(row: Row) -> Conversation:
    """Read the conversation of a message that was found."""
    return Conversation(
        row["platform"],
        row["workspace"],
        row["place_id"],
        Place(row["place"]),
        row["title"],
        row["channel"],
    )


def _said(row: Row) -> SpokenMessage:
    return SpokenMessage(visible_in(row), place_in(row))


async def newest_name(database: Database, person: str) -> str:
    """How a person was called when they last wrote; empty for somebody of whom nothing is kept."""
    row = await database.read_one(
        "SELECT author_name FROM messages WHERE author = ? ORDER BY id DESC LIMIT 1", (person,)
    )
    return str(row["author_name"]) if row else ""
