"""Conversations, their visible messages and attachments: the SQL of what everybody sees."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.access import Person
from bot.domain.database import Database, Read, Row, Unit, Write, made_of, read_number
from bot.domain.messages import Conversation, IncomingMessage, Place
from bot.domain.origins import Origin, Trust


@dataclass(frozen=True)
class VisibleMessage:
    """One message that everybody in the conversation sees."""

    id: int
    author: str
    author_name: str
    origin: Origin
    addressee: str
    text: str
    at: datetime
    beside: bool = False
    """See `NewMessage`."""
    unasked: bool = False
    """Said to others: no session had it as its person's words."""


def conversation_write(conversation: Conversation, private: bool, now: datetime) -> Write:
    return Write(
        "INSERT INTO conversations"
        " (key, platform, workspace, id, place, title, channel, private, created_at, updated_at)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)"
        " ON CONFLICT (key) DO UPDATE SET title = excluded.title, updated_at = excluded.updated_at,"
        " channel = CASE WHEN excluded.channel = '' THEN conversations.channel"
        " ELSE excluded.channel END"
        # Nobody asks when another place than a thread was last used.
        " WHERE conversations.place = 'thread' OR conversations.title <> excluded.title"
        " OR excluded.channel NOT IN ('', conversations.channel)",
        (
            conversation.key,
            conversation.platform,
            conversation.workspace,
            conversation.id,
            conversation.place.value,
            conversation.title,
            conversation.channel,
            int(private),
            format_utc(now),
        ),
    )


_FILES_NAMED = 5
_FOLLOWED = 1
_LEFT = 2
"""People sent the assistant away."""
_WANTED = 3
"""People had the assistant follow, also where its platform follows no thread by itself."""


def follow_write(conversation: str, *, again: bool = False) -> Write:
    """From now on messages in this conversation reach the assistant without a mention.

    `again`: people want it, also where they had sent it away. See
    docs/rules.md#conversations-and-sessions.
    """
    return Write(
        "UPDATE conversations SET followed = ? WHERE key = ? AND (followed = 0 OR ? = 1)",
        (_WANTED if again else _FOLLOWED, conversation, int(again)),
    )


def leave_write(conversation: str) -> Write:
    """From now on it answers there only who mentions it or replies to it."""
    return Write("UPDATE conversations SET followed = ? WHERE key = ?", (_LEFT, conversation))


async def is_followed(database: Database, conversation: str) -> bool:
    return await _stands(database, conversation, _FOLLOWED, _WANTED)


async def is_wanted(database: Database, conversation: str) -> bool:
    """Whether people had the assistant follow this conversation."""
    return await _stands(database, conversation, _WANTED)


async def was_left(database: Database, conversation: str) -> bool:
    """Whether people sent the assistant away from this conversation."""
    return await _stands(database, conversation, _LEFT)


async def _stands(database: Database, conversation: str, *followed: int) -> bool:
    row = await database.read_one(
        "SELECT followed FROM conversations WHERE key = ?", (conversation,)
    )
    return row is not None and row["followed"] in followed


async def conversation_of(database: Database, key: str) -> Conversation | None:
    """The conversation of this key, if anything was ever said there."""
    row = await database.read_one("SELECT * FROM conversations WHERE key = ?", (key,))
    return None if row is None else _conversation(row)


async def place_of(database: Database, message: str) -> Conversation | None:
    """The place of the message with this key."""
    row = await database.read_one("SELECT conversation FROM messages WHERE key = ?", (message,))
    return await conversation_of(database, row["conversation"]) if row else None


@dataclass(frozen=True)
class NewMessage:
    """A message about to be recorded in the shared transcript of its conversation."""

    key: str
    conversation: str
    author: str
    author_name: str
    trust: Trust
    text: str
    at: datetime
    addressee: str = ""
    place: str = ""
    """Key of the place whose history contains it on the platform, if that can be read."""
    aside: bool = False
    """Whether it answers a command and is no part of the conversation."""
    beside: bool = False
    """Whether a run outside of its addressee's session said it: that session has yet to read it."""


def message_write(message: NewMessage) -> Write:
    return Write(
        "INSERT INTO messages (key, conversation, author, author_name, trust, addressee, text, at,"
        " place, aside, beside) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (key) DO NOTHING",
        (
            message.key,
            message.conversation,
            message.author,
            message.author_name,
            message.trust.name.lower(),
            message.addressee,
            message.text,
            format_utc(message.at),
            message.place,
            int(message.aside),
            int(message.beside),
        ),
    )


def author_trust(author: Person, *, is_bot: bool) -> Trust:
    """How far another author's text is trusted."""
    return Trust.MEMBER if author.role.rank >= 2 and not is_bot else Trust.OUTSIDER


def seen_unit(message: IncomingMessage, person: Person, now: datetime) -> Unit:
    """Records a message in the conversation's shared transcript."""
    trust = author_trust(person, is_bot=message.sender.is_bot)
    return Unit.of(
        conversation_write(message.conversation, message.private, now),
        message_write(
            NewMessage(
                key=message.key,
                conversation=message.conversation.key,
                author=person.id,
                author_name=message.sender.name,
                trust=trust,
                text=recorded_text(message),
                at=message.sent_at,
                place=message.heard.place.key if message.heard is not None else "",
            )
        ),
    )


def recorded_text(message: IncomingMessage) -> str:
    """The text with the names of its files: who asks about one later learns that it was there."""
    names = [one.name for one in message.attachments if not one.spoken]
    if not names:
        return message.text
    more = f" and {len(names) - _FILES_NAMED} more" if len(names) > _FILES_NAMED else ""
    told = f"(attached: {', '.join(names[:_FILES_NAMED])}{more})"
    return f"{message.text}\n{told}" if message.text else told


def edit_write(key: str, text: str, at: datetime) -> Write:
    """A deleted or forgotten message stays deleted."""
    sql = "UPDATE messages SET text = ?, edited_at = ? WHERE key = ? AND deleted_at IS NULL"
    return Write(sql, (text, format_utc(at), key))


def heard_write(key: str, text: str) -> Write:
    """Add what was said in a voice message to its record."""
    sql = "UPDATE messages SET text = text || ? WHERE key = ? AND deleted_at IS NULL"
    return Write(sql, (text, key))


def delete_write(key: str, at: datetime) -> Write:
    return Write(
        "UPDATE messages SET text = '', deleted_at = ? WHERE key = ?", (format_utc(at), key)
    )


def move_write(key: str, conversation: Conversation) -> Write:
    """A message belongs to another conversation now: the thread that its answer opens."""
    return Write("UPDATE messages SET conversation = ? WHERE key = ?", (conversation.key, key))


async def own_place(database: Database, person: str) -> Conversation | None:
    """The direct conversation in which somebody last wrote, to reach them privately."""
    row = await database.read_one(
        "SELECT c.* FROM messages m JOIN conversations c ON c.key = m.conversation"
        " WHERE m.author = ? AND c.private = 1 AND c.place = ? ORDER BY m.id DESC LIMIT 1",
        (person, Place.DM),
    )
    return None if row is None else _conversation(row)


def _conversation(row: Row) -> Conversation:
    place, title = Place(row["place"]), row["title"] or ""
    return Conversation(row["platform"], row["workspace"], row["id"], place, title, row["channel"])


async def authors_of(database: Database, conversation: str) -> list[str]:
    """Person ids of the people who wrote in a conversation."""
    rows = await database.read(
        "SELECT DISTINCT author FROM messages WHERE conversation = ? LIMIT 200", (conversation,)
    )
    return [str(row["author"]) for row in rows]


async def speakers_of(database: Database, channel: str, conversation: str) -> list[tuple[str, str]]:
    """Person ids and newest names of a conversation's writers, or of its thread's channel."""
    rows = await database.read(
        "SELECT author, author_name FROM messages WHERE id IN"
        " (SELECT max(id) FROM messages WHERE conversation IN (?, ?)"
        " AND author NOT LIKE 'agent:%' GROUP BY author LIMIT 500)",
        (channel, conversation),
    )
    return [(str(row["author"]), str(row["author_name"])) for row in rows]


async def newest_visible(database: Database, conversation: str, limit: int) -> list[VisibleMessage]:
    """The newest `limit` undeleted messages of a conversation, in order."""
    rows = await database.read(
        "SELECT * FROM messages WHERE conversation = ? AND deleted_at IS NULL"
        " ORDER BY id DESC LIMIT ?",
        (conversation, limit),
    )
    return [visible_in(row) for row in reversed(rows)]


async def visible_before(
    database: Database, conversation: str, key: str, after: int, limit: int
) -> tuple[int | None, list[VisibleMessage]]:
    """The row of the message with this key, and the newest `limit` undeleted ones before it.

    They follow row `after`, and are in order. Without the message, all later ones count.
    """
    read = unseen_read(conversation, key, Read("SELECT ?", (after,)), limit)
    unseen = unseen_in(await database.read(read.sql, read.params))
    return unseen.own, unseen.messages


def answered_since_read(conversation: str, key: str, person: str, most: int) -> Read:
    """The assistant's answers to others, said after the message with this key."""
    return Read(
        "SELECT * FROM messages WHERE conversation = ? AND deleted_at IS NULL AND aside = 0"
        " AND id > (SELECT id FROM messages WHERE key = ?) AND author LIKE 'agent:%'"
        " AND addressee NOT IN ('', ?) ORDER BY id LIMIT ?",
        (conversation, key, person, most),
    )


@dataclass(frozen=True)
class Unseen:
    """The messages between row `after` and the person's `own` message."""

    own: int | None
    after: int
    messages: list[VisibleMessage]


def unseen_read(conversation: str, key: str, after: Read, limit: int) -> Read:
    """What `visible_before` reads; `after` selects the row that the messages follow (none: 0)."""
    return Read(
        "WITH asked AS (SELECT (SELECT id FROM messages WHERE key = ?) AS own,"  # noqa: S608
        f" coalesce(({after.sql}), 0) AS after)"
        " SELECT asked.own, asked.after, m.* FROM asked LEFT JOIN (SELECT messages.*, EXISTS"
        " (SELECT 1 FROM inbox WHERE key = messages.key AND state = 'recorded') AS unasked"
        " FROM messages WHERE conversation = ? AND id > (SELECT after FROM asked)"
        " AND deleted_at IS NULL AND id < coalesce((SELECT own FROM asked), 9223372036854775807)"
        " ORDER BY id DESC LIMIT ?) AS m ON 1 = 1 ORDER BY m.id",
        (key, *after.params, conversation, limit),
    )


def unseen_in(rows: Sequence[Row]) -> Unseen:
    messages = [visible_in(row) for row in rows if row["id"] is not None]
    return Unseen(rows[0]["own"], rows[0]["after"], messages)


def visible_in(row: Row) -> VisibleMessage:
    """Read a row of `messages`."""
    return made_of(
        VisibleMessage,
        row,
        origin=Origin(Trust[row["trust"].upper()], f"person:{row['author']}"),
        at=parse_utc(row["at"]),
        beside=bool(row["beside"]),
        unasked=bool(row.get("unasked")),
    )


async def newest_message(database: Database, conversation: str) -> int:
    return await read_number(
        database, "SELECT max(id) AS id FROM messages WHERE conversation = ?", (conversation,)
    )


async def newest_rows(database: Database, conversation: str, most: int) -> list[Row]:
    """The newest messages of a conversation, whoever wrote them, newest first."""
    return await database.read(
        "SELECT id, key, author, text FROM messages WHERE conversation = ?"
        " ORDER BY id DESC LIMIT ?",
        (conversation, most),
    )


def newest_guard(conversation: str, row: int) -> Unit:
    """Fails if anything was said in the conversation after this row."""
    sql = (
        "UPDATE messages SET key = key WHERE id = ?"
        " AND NOT EXISTS (SELECT 1 FROM messages WHERE conversation = ? AND id > ?)"
    )
    return Unit.of(Write(sql, (row, conversation, row), rows=1))


async def newest_key_of(database: Database, conversation: str, person: str) -> str | None:
    """The key of the newest message that a person wrote in a conversation or its threads."""
    read = newest_key_read(conversation, person)
    row = await database.read_one(read.sql, read.params)
    return str(row["key"]) if row else None


def newest_key_read(conversation: str, person: str) -> Read:
    """What `newest_key_of` reads."""
    platform, workspace, channel = conversation.split(":", 2)
    return Read(
        "SELECT key FROM messages WHERE author = ? AND conversation IN (SELECT ? UNION ALL"
        " SELECT key FROM conversations WHERE platform = ? AND workspace = ? AND channel = ?"
        " AND place = 'thread') ORDER BY id DESC LIMIT 1",
        (person, conversation, platform, workspace, channel),
    )


async def newest_keys_of(
    database: Database, conversations: Sequence[str], person: str, most: int
) -> list[str]:
    """The keys of the newest messages that a person wrote in these conversations, newest first."""
    places = ", ".join("?" for _ in conversations)
    rows = await database.read(
        f"SELECT key FROM messages WHERE conversation IN ({places}) AND author = ?"  # noqa: S608 - marks
        " AND deleted_at IS NULL ORDER BY id DESC LIMIT ?",
        (*conversations, person, most),
    )
    return [str(row["key"]) for row in rows]


async def message_now(database: Database, key: str) -> str | None:
    """The current text of a message, empty if deleted; None if it is not on record."""
    row = await database.read_one("SELECT text FROM messages WHERE key = ?", (key,))
    return str(row["text"]) if row else None


@dataclass(frozen=True)
class PastMessages:
    """Earlier messages, for a reader who may only ask about them."""

    database: Database

    async def text_of(self, message: str) -> str | None:
        return await message_now(self.database, message)

    async def has_written(self, person: str) -> bool:
        found = await self.database.read_one(
            "SELECT 1 AS found FROM messages WHERE author = ? LIMIT 1", (person,)
        )
        return found is not None


async def waited_behind(database: Database, key: str, authors: tuple[str, str]) -> list[str]:
    """A stranger's messages to us after their first, until somebody names them; oldest first."""
    rows = await database.read(
        "SELECT later.text FROM messages AS first JOIN messages AS later"
        " ON later.conversation = first.conversation AND later.id > first.id"
        " JOIN inbox ON inbox.key = later.key WHERE first.key = ? AND later.author IN (?, ?)"
        " AND later.deleted_at IS NULL AND json_extract(inbox.body, '$.why') = 'unknown'"
        " AND json_extract(inbox.body, '$.addressed') <> 'none' ORDER BY later.id LIMIT 20",
        (key, *authors),
    )
    return [str(row["text"]) for row in rows]
