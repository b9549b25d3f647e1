"""The words of messages: all SQL of `message_words` and of search by words.

The index also has words that no text has: days, workspaces and people. When a message was said, and
days in its text, are UTC days, because an index does not know who will ask. A question includes the
day before and after, and the ranking compares exact times.

A search names the workspaces and people whose messages it may find, so it doesn't look at each
message of a large home that has its words. This only saves looking: `Filters` decides by the live
rows.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2s
from zoneinfo import ZoneInfo

from bot.clock import format_utc, parse_utc
from bot.dates.mentions import find_times
from bot.domain.characters import plain_name
from bot.domain.database import Database, Row, Unit, Write, made_of
from bot.domain.messages import Conversation, Place, Visibility
from bot.domain.origins import Origin, Trust
from bot.sessions.records.spoken_store import PLACE_COLUMNS, place_in
from bot.storage.values import HomeValue

_MOST_DAYS = 31
"""Longer periods are not searched by their days."""
_SAID, _NAMED = "¶", "§"
"""No word of a text begins with these: the index contains letters and digits only."""
_DAY = timedelta(days=1)


def days_within(periods: Iterable[tuple[datetime, datetime]]) -> tuple[date, ...]:
    """The UTC days that periods touch, each once; none for a period that is too long."""
    found: dict[date, None] = {}
    for start, end in periods:
        first = start.astimezone(UTC).date()
        count = ((end - timedelta(microseconds=1)).astimezone(UTC).date() - first).days + 1
        if count <= _MOST_DAYS + 1:  # a month in another zone touches one more day
            found.update(dict.fromkeys(first + number * _DAY for number in range(count)))
    return tuple(found)


def day_words(text: str, at: datetime) -> str:
    """The index text of a message beside its words."""
    named = find_times(text, at, ZoneInfo("UTC"))
    days = days_within((one.start, one.end) for one in named.periods) if named else ()
    return " ".join(
        [_word(_SAID, at.astimezone(UTC).date()), *(_word(_NAMED, day) for day in days)]
    )


def said_on(days: Sequence[date]) -> str:
    """A MATCH expression for messages from about that time."""
    return _any_of(_SAID, days)


def naming(days: Sequence[date]) -> str:
    """A MATCH expression for messages whose text names about that time."""
    return _any_of(_NAMED, days)


def _any_of(mark: str, days: Sequence[date]) -> str:
    near = sorted({day + shift * _DAY for day in days for shift in (-1, 0, 1)})
    quoted = [f'"{_word(mark, day)}"' for day in near]
    return f"({' OR '.join(quoted)})"


def _word(mark: str, day: date) -> str:
    return f"{mark}{day:%Y%m%d}"


_SAID_IN, _SAID_BY_OR_TO = "†", "‡"
"""No word of a text begins with these: the index contains letters and digits only."""


def scope_words(platform: str, workspace: str, people: Iterable[str]) -> str:
    """The index text of a message: where it was said, by whom and to whom."""
    return " ".join([_in_workspace(platform, workspace), *map(_of_person, filter(None, people))])


def within(workspaces: Iterable[tuple[str, str]], people: Iterable[str]) -> str:
    """A MATCH expression for messages of these workspaces, or by or to one of these people."""
    words = {*(_in_workspace(*one) for one in workspaces), *map(_of_person, filter(None, people))}
    quoted = [f'"{word}"' for word in sorted(words)]
    return f"({' OR '.join(quoted)})" if quoted else ""


def _in_workspace(platform: str, workspace: str) -> str:
    return _SAID_IN + _digest(f"{platform}:{workspace}")


def _of_person(person: str) -> str:
    return _SAID_BY_OR_TO + _digest(person)


def _digest(name: str) -> str:
    """A name can hold any character; a word of the index can't."""
    return blake2s(name.encode(errors="replace"), digest_size=6).hexdigest()


_CHANNEL_KEY = (
    "platform || ':' || workspace || ':' || CASE channel WHEN '' THEN id ELSE channel END"
)

_READ = (
    "coalesce((SELECT CAST(value AS BIGINT) FROM home_values"  # noqa: S608 - constants
    f" WHERE name = '{HomeValue.MESSAGES_READ}'), 0)"
)
"""The last message that was read; changed ones stand in message_words_changed."""
_MARK = (
    "INSERT INTO home_values (name, key, value, at) VALUES (?, '', ?, '')"
    " ON CONFLICT (name, key) DO UPDATE SET value ="
    " CAST(max(CAST(home_values.value AS BIGINT), CAST(excluded.value AS BIGINT)) AS TEXT)"
)


@dataclass(frozen=True)
class Unread:
    """A message to be indexed: `edited` is the version mark of `text`."""

    id: int
    text: str
    at: datetime
    edited: str
    scope: str
    """Words for where it was said, by whom and to whom."""


async def unread_messages(database: Database, limit: int) -> list[Unread]:
    """Changed messages first, then new ones in their order.

    Deleted ones come with an empty text.
    """
    rows = await database.read(
        "SELECT m.id, m.text, m.at, coalesce(m.edited_at, '') AS edited, m.author, m.addressee,"  # noqa: S608 - constants
        " coalesce(c.platform, '') AS platform, coalesce(c.workspace, '') AS workspace"
        " FROM (SELECT id FROM"
        " (SELECT message AS id FROM message_words_changed LIMIT ?1) AS changed"
        " UNION SELECT id FROM (SELECT id FROM messages"
        f" WHERE id > {_READ} ORDER BY id LIMIT ?1) AS new"
        ") AS unread JOIN messages AS m ON m.id = unread.id"
        " LEFT JOIN conversations AS c ON c.key = m.conversation ORDER BY m.id LIMIT ?1",
        (limit,),
    )
    return [
        Unread(
            row["id"],
            row["text"],
            parse_utc(row["at"]),
            row["edited"],
            scope_words(row["platform"], row["workspace"], (row["author"], row["addressee"])),
        )
        for row in rows
    ]


async def unread_count(database: Database) -> int:
    """About how many messages can't be found yet."""
    row = await database.read_one(
        f"SELECT coalesce((SELECT max(id) FROM messages), 0) - {_READ}"  # noqa: S608 - constants
        " + (SELECT count(*) FROM message_words_changed) AS n"
    )
    return max(int(row["n"]), 0) if row else 0


def words_unit(read: Sequence[tuple[Unread, str]]) -> Unit:
    """Store the words of messages, except of those that changed after they were read."""
    given = json.dumps(
        [{"id": one.id, "edited": one.edited, "words": words} for one, words in read],
        ensure_ascii=False,
    )
    same = (
        "SELECT m.id, json_extract(value, '$.words') AS words FROM json_each(?) JOIN messages AS m"
        " ON m.id = CAST(json_extract(value, '$.id') AS BIGINT) AND coalesce(m.edited_at, '') = "
        "json_extract(value, '$.edited')"
    )
    newest = max(one.id for one, _ in read)
    return Unit.of(
        Write(
            f"DELETE FROM message_words WHERE rowid IN (SELECT id FROM ({same}) AS same)",  # noqa: S608
            (given,),
        ),
        Write(
            "INSERT INTO message_words (rowid, words)"  # noqa: S608 - constants
            f" SELECT id, words FROM ({same}) AS same WHERE words <> ''",
            (given,),
        ),
        Write(
            f"DELETE FROM message_words_changed WHERE message IN (SELECT id FROM ({same}) AS same)",  # noqa: S608
            (given,),
        ),
        Write(_MARK, (HomeValue.MESSAGES_READ, str(newest))),
    )


async def recorded_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Keys among these whose message is on record."""
    sql = "SELECT key FROM messages WHERE key IN (SELECT value FROM json_each(?))"
    return {str(row["key"]) for row in await database.read(sql, (json.dumps(list(keys)),))}


async def document_counts(database: Database, forms: Sequence[str]) -> dict[str, int]:
    """The number of messages with each of these forms."""
    rows = await database.read(
        "SELECT term, doc FROM json_each(?) JOIN message_terms ON term = value",
        (json.dumps(list(forms)),),
    )
    return {str(row["term"]): int(row["doc"]) for row in rows}


@dataclass(frozen=True)
class KnownPlace:
    """A channel with messages, and the known facts about it."""

    conversation: Conversation
    was_private: bool


async def channels_on_record(
    database: Database, within: Sequence[tuple[str, str]]
) -> list[KnownPlace]:
    """The channels of some workspaces in which messages were recorded; threads count as theirs.

    `within` has platform and workspace; an empty workspace stands for all of the platform.
    """
    rows = await database.read(
        "WITH wanted AS (SELECT json_extract(value, '$.platform') AS platform,"
        " json_extract(value, '$.workspace') AS workspace FROM json_each(?1)),"
        " there AS (SELECT c.* FROM wanted AS w JOIN conversations AS c"
        " ON c.platform = w.platform AND c.workspace = w.workspace WHERE c.place <> 'dm'"
        " UNION SELECT c.* FROM wanted AS w JOIN conversations AS c"
        " ON c.platform = w.platform AND w.workspace = '' WHERE c.place <> 'dm')"
        " SELECT place.*, coalesce(known.visibility, '') AS visibility,"
        " coalesce(known.was_private, 0) AS was_private"
        " FROM (SELECT platform, workspace, CASE channel WHEN '' THEN id ELSE channel END AS id,"
        " coalesce(max(CASE channel WHEN '' THEN place END), 'channel') AS place,"
        " max(CASE channel WHEN '' THEN title ELSE '' END) AS title"
        " FROM there GROUP BY 1, 2, 3) AS place"
        " LEFT JOIN channels AS known ON known.key = platform || ':' || workspace || ':' || id",
        (json.dumps([{"platform": one, "workspace": other} for one, other in within]),),
    )
    return [KnownPlace(_channel(row), bool(row["was_private"])) for row in rows]


def _channel(row: Row) -> Conversation:
    platform, workspace, place = row["platform"], row["workspace"], Place(row["place"])
    visible = Visibility(row["visibility"])
    return Conversation(platform, workspace, row["id"], place, row["title"], visibility=visible)


_NOBODYS_NAME = {"you", "asker", "bellhop", "assistant"}
"""Search results call Bellhop and the asking person so."""


@dataclass(frozen=True)
class FoundMessage:
    """A found message, with its current text."""

    id: int
    key: str
    author: str
    author_name: str
    origin: Origin
    text: str
    at: datetime
    conversation: Conversation
    addressee: str = ""
    """The person whom the assistant answered."""

    @property
    def is_own(self) -> bool:
        """Whether Bellhop wrote it."""
        return self.author.startswith("agent:")

    def signature(self, names: Mapping[str, str]) -> str:
        """The author's name, which they chose; with their id where it reads like somebody else's.

        `names`: whose each familiar name is, folded, by person id.
        """
        name = plain_name(self.author_name)
        folded = unicodedata.normalize("NFKC", name).casefold()
        poses = _NOBODYS_NAME.intersection(re.findall(r"\w+", folded))
        if poses or names.get(folded, self.author) != self.author:
            return f"{name} ({self.author})"
        return name


@dataclass(frozen=True)
class Filters:
    """Messages that a search may return: those of these channels, and one person's DMs."""

    channels: Sequence[str]
    """Keys of channels."""
    direct_of: str = ""
    """The person whose direct messages are included; empty: nobody."""
    of_person: str = ""
    """The author or the answered person: if set, `channels` and `direct_of` don't count."""
    aside: bool = True
    """Whether to include answers to commands."""
    authors: Sequence[str] = ()
    """Person ids; if `author_name` is empty too, everybody."""
    author_name: str = ""
    """Also authors with this name."""
    after: datetime | None = None
    before: datetime | None = None
    besides: str = ""
    """Key of a message to leave out."""
    conversation: str = ""
    """The key of the only conversation that is meant, a thread perhaps."""
    own: bool | None = None
    """True: only Bellhop's messages; False: only those of others."""
    scope: str = ""
    """A MATCH expression that all of them fit, which spares looking at others (`scopes`)."""

    @property
    def finds_nothing(self) -> bool:
        """Whether no message at all can be meant."""
        return not (self.channels or self.direct_of or self.of_person)

    def clause(self) -> tuple[str, list[object]]:
        """The condition with its parameters."""
        known = (
            f"SELECT key FROM conversations WHERE {_CHANNEL_KEY} IN (SELECT value "  # noqa: S608
            "FROM json_each(?))"
        )
        parts = ["m.deleted_at IS NULL"]
        if self.of_person:
            parts.append(
                "(m.author = ? OR"
                " (m.addressee = ? AND m.addressee <> '' AND m.author LIKE 'agent:%'))"
            )
            values: list[object] = [self.of_person, self.of_person]
        else:
            parts.append(
                f"((c.place <> 'dm' AND m.conversation IN ({known}))"
                " OR (c.place = 'dm' AND ? <> '' AND ? IN (m.author, m.addressee)))"
            )
            values = [json.dumps(list(self.channels)), self.direct_of, self.direct_of]
        if not self.aside:
            parts.append("m.aside = 0")
        if self.besides:
            parts, values = [*parts, "m.key <> ?"], [*values, self.besides]
        if self.conversation:
            parts, values = [*parts, "m.conversation = ?"], [*values, self.conversation]
        if self.own is not None:
            parts.append(f"m.author {'' if self.own else 'NOT '}LIKE 'agent:%'")
        if self.authors or self.author_name:
            parts.append(
                "(m.author IN (SELECT value FROM json_each(?)) OR (? <> ''"
                " AND instr(' ' || lower(m.author_name) || ' ', ' ' || lower(?) || ' ') > 0))"
            )
            values += [json.dumps(list(self.authors)), self.author_name, self.author_name]
        if self.after is not None:
            parts, values = [*parts, "m.at >= ?"], [*values, format_utc(self.after)]
        if self.before is not None:
            parts, values = [*parts, "m.at < ?"], [*values, format_utc(self.before)]
        return " AND ".join(parts), values


_COLUMNS = (
    "SELECT m.id, m.key, m.author, m.author_name, m.trust, m.text, m.at, m.addressee,"
    f" {PLACE_COLUMNS}"
)
_BY_WORDS = (
    f"{_COLUMNS} FROM message_words(?) AS w CROSS JOIN messages AS m ON m.id = w.rowid"
    " CROSS JOIN conversations AS c ON c.key = m.conversation WHERE "
)
_ALL = (
    f"{_COLUMNS} FROM messages AS m CROSS JOIN conversations AS c ON c.key = m.conversation WHERE "
)


async def newest_with(
    database: Database, match: str, filters: Filters, limit: int, before: int | None
) -> list[FoundMessage]:
    """Matching messages before the row `before`, newest first.

    An empty `match` matches every message.
    """
    if filters.finds_nothing:
        return []
    clause, values = filters.clause()
    if before is not None:
        clause, values = f"{clause} AND m.id < ?", [*values, before]
    if not match:
        sql = f"{_ALL}{clause} ORDER BY m.id DESC LIMIT ?"
        return _said(await database.read(sql, (*values, limit)))
    within = f"({match}) AND {filters.scope}" if filters.scope else match
    sql = f"{_BY_WORDS}{clause} ORDER BY w.rowid DESC LIMIT ?"
    return _said(await database.read(sql, (within, *values, limit)))


async def best_with(
    database: Database, match: str, filters: Filters, limit: int, skip: int
) -> list[FoundMessage]:
    """Matching messages, best first, after a number of them."""
    if filters.finds_nothing:
        return []
    clause, values = filters.clause()
    order = "ORDER BY w.rank, w.rowid DESC LIMIT ? OFFSET ?"
    return _said(await database.read(f"{_BY_WORDS}{clause} {order}", (match, *values, limit, skip)))


async def said_beside(
    database: Database, messages: Sequence[int], filters: Filters
) -> list[FoundMessage]:
    """The direct neighbours of the given messages in their conversations."""
    if filters.finds_nothing or not messages:
        return []
    clause, values = filters.clause()
    beside = (
        "SELECT (SELECT max(id) FROM messages WHERE conversation = o.conversation AND id < o.id)"
        " FROM given AS o UNION SELECT"
        " (SELECT min(id) FROM messages WHERE conversation = o.conversation AND id > o.id)"
        " FROM given AS o"
    )
    given = (
        "SELECT id, conversation FROM messages"
        " WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))"
    )
    ids = json.dumps(list(messages))
    of = f"m.id IN ({beside}) AND m.id NOT IN (SELECT id FROM given)"  # noqa: S608 - constants
    return _said(
        await database.read(f"WITH given AS ({given}) {_ALL}{clause} AND {of}", (ids, *values))
    )


def _said(rows: Sequence[Row]) -> list[FoundMessage]:
    return [
        made_of(
            FoundMessage,
            row,
            origin=Origin(Trust[row["trust"].upper()], f"person:{row['author']}"),
            at=parse_utc(row["at"]),
            conversation=place_in(row),
        )
        for row in rows
    ]
