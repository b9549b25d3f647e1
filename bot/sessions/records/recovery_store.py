"""Recovery marks: SQL of how far each place was read, and of unanswered messages."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc, utc_or_none
from bot.domain.chat import RecordedMessage
from bot.domain.database import Database, Row, Write
from bot.domain.lines import platform_of
from bot.domain.messages import Conversation, Heard, Place
from bot.storage.values import HomeValue, drop_home_value, home_value, home_values, put_home_value

MOST_MARKS = 5000


def mark_write(heard: Heard) -> Write:
    """Move the mark of a place forward; it never goes back."""
    place = heard.place
    return Write(
        "INSERT INTO recovery_marks (place, platform, workspace, id, kind, position, heard_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (place) DO UPDATE SET"
        " position = excluded.position, heard_at = excluded.heard_at"
        " WHERE length(excluded.position) > length(recovery_marks.position)"
        " OR (length(excluded.position) = length(recovery_marks.position)"
        " AND excluded.position > recovery_marks.position)",
        (*_place_columns(place), heard.position, format_utc(heard.at)),
    )


def _place_columns(place: Conversation) -> tuple[str, str, str, str, str]:
    return (place.key, place.platform, place.workspace, place.id, place.place.value)


def _place(row: Row) -> Conversation:
    return Conversation(row["platform"], row["workspace"], row["id"], Place(row["kind"]))


def _heard(row: Row) -> Heard:
    return Heard(_place(row), row["position"], parse_utc(row["heard_at"]))


async def marks(database: Database, platform: str) -> tuple[Heard, ...]:
    """The marks of a platform, newest first."""
    rows = await database.read(
        "SELECT * FROM recovery_marks WHERE platform = ? ORDER BY heard_at DESC LIMIT ?",
        (platform, MOST_MARKS),
    )
    return tuple(map(_heard, rows))


async def unmarked_threads(database: Database, platform: str, since: datetime) -> tuple[Heard, ...]:
    """Threads once followed, without an answer of ours, marked as read up to their first message.

    Older ones had a mark that was purged: reading them from the start would hear them twice.
    """
    rows = await database.read(
        "SELECT platform, workspace, id, place AS kind, substr(id, instr(id, ':') + 1) AS position,"
        " updated_at AS heard_at FROM conversations WHERE platform = ? AND followed > 0"
        " AND place = ? AND updated_at >= ? AND key NOT IN (SELECT place FROM recovery_marks)"
        " ORDER BY updated_at DESC LIMIT ?",
        (platform, Place.THREAD.value, format_utc(since), MOST_MARKS),
    )
    return tuple(map(_heard, rows))


async def floor(database: Database, line: str) -> datetime | None:
    """The starting point of the current catch-up of a line; None when none runs."""
    began = await home_value(database, HomeValue.HEARD_UNTIL, line)
    return parse_utc(began) if began else None


def begin_write(line: str, floor: datetime) -> Write:
    return put_home_value(HomeValue.HEARD_UNTIL, format_utc(floor), line, first=True)


def finish_write(line: str) -> Write:
    return drop_home_value(HomeValue.HEARD_UNTIL, line)


def forget_write(platform: str, before: datetime) -> Write:
    """Long-quiet threads: a new message in one is found through its channel."""
    return Write(
        "DELETE FROM recovery_marks WHERE platform = ? AND kind = ? AND heard_at < ?",
        (platform, Place.THREAD.value, format_utc(before)),
    )


async def kept(database: Database, place: str, since: datetime, most: int) -> list[RecordedMessage]:
    """The newest messages in a place, oldest first."""
    rows = await database.read(
        "SELECT key, at, edited_at FROM messages WHERE place = ? AND place <> '' AND at >= ?"
        " AND deleted_at IS NULL ORDER BY at DESC LIMIT ?",
        (place, format_utc(since), most),
    )
    return [
        RecordedMessage(row["key"], parse_utc(row["at"]), utc_or_none(row["edited_at"]))
        for row in reversed(rows)
    ]


@dataclass(frozen=True)
class Unanswered:
    """The number of unanswered messages of one place."""

    place: Conversation
    messages: int
    person: str
    newest: str


def unanswered_write(place: Conversation, person: str, key: str) -> Write:
    """Count one more."""
    return Write(
        "INSERT INTO unanswered (place, platform, workspace, id, kind, messages, person, newest)"
        " VALUES (?, ?, ?, ?, ?, 1, ?, ?) ON CONFLICT (place) DO UPDATE SET"
        " messages = unanswered.messages + 1, person = excluded.person, newest = excluded.newest",
        (*_place_columns(place), person, key),
    )


async def unanswered(database: Database, place: Conversation) -> Unanswered | None:
    row = await database.read_one("SELECT * FROM unanswered WHERE place = ?", (place.key,))
    return Unanswered(_place(row), row["messages"], row["person"], row["newest"]) if row else None


async def untold(database: Database, platform: str) -> list[Conversation]:
    """Places with unanswered messages that were not reported yet."""
    rows = await database.read("SELECT * FROM unanswered WHERE platform = ?", (platform,))
    return [_place(row) for row in rows]


def told_write(told: Unanswered) -> Write:
    """Everything is reported. Rejected if more messages were counted since."""
    return Write(
        "DELETE FROM unanswered WHERE place = ? AND messages = ?",
        (told.place.key, told.messages),
        rows=1,
    )


async def newest_heard(database: Database, platform: str | None = None) -> datetime | None:
    """The platform's own time of the newest message (of a platform)."""
    row = await database.read_one(
        "SELECT max(heard_at) AS at FROM recovery_marks WHERE ?1 IS NULL OR platform = ?1",
        (platform,),
    )
    return parse_utc(row["at"]) if row and row["at"] else None


async def still_deliverable(database: Database, keys: Sequence[str]) -> set[str]:
    """Keys of messages that their platform may still deliver: those after a place's mark.

    During a catch-up that is everything accepted since it began.
    """
    rows = await database.read(
        "SELECT key.value AS key, coalesce(inbox.accepted_at, messages.at) AS accepted_at,"
        " messages.place AS place, marks.position AS position"
        " FROM json_each(?) AS key LEFT JOIN inbox ON inbox.key = key.value"
        " LEFT JOIN messages ON messages.key = key.value LEFT JOIN recovery_marks AS marks"
        " ON marks.place = messages.place AND messages.place <> ''",
        (json.dumps(list(keys)),),
    )
    floors: dict[str, str] = {}
    for line, began in (await home_values(database, HomeValue.HEARD_UNTIL)).items():
        platform = platform_of(line)
        floors[platform] = min(floors.get(platform, began), began)
    return {row["key"] for row in rows if _behind_mark(row) or _since_floor(row, floors)}


def _behind_mark(row: Row) -> bool:
    position, mark = str(row["key"]).rpartition(":")[2], row["position"]
    return mark is not None and (len(position), position) > (len(mark), mark)


def _since_floor(row: Row, floors: Mapping[str, str]) -> bool:
    """Whether its platform (the key's first word, after `edit:` or `delete:`) is catching up."""
    words = str(row["key"]).split(":", 2)[:2]
    floor = next((floors[word] for word in words if word in floors), None)
    return floor is not None and str(row["accepted_at"]) >= floor
