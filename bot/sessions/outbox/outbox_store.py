"""SQL of the outbox: sends that a platform has not accepted yet, open drafts, and lives.

A draft is what a platform shows while a turn writes its answer. A life of the program on a database
has an identity, which is in the keys of sends.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Unit, Write, made_of, read_number
from bot.domain.drafts import OpenDraft
from bot.domain.messages import OutgoingMessage
from bot.domain.origins import Trust
from bot.domain.sessions import joined_parts, parts_of
from bot.domain.step_keys import step_of
from bot.sessions.records.conversation_store import NewMessage, message_write
from bot.sessions.records.envelope import outgoing_to_json
from bot.storage.values import HomeValue, drop_home_value, home_values, put_home_value


@dataclass(frozen=True)
class PendingSend:
    """A send that its platform has not accepted yet."""

    key: str
    conversation: str
    person: str
    message: str
    attempts: int
    created_at: datetime


def pending_write(send: PendingSend, error: str, next_try: datetime) -> Write:
    return Write(
        "INSERT INTO outbox (key, conversation, person, message, state, attempts, error,"
        " created_at, next_try_at)"
        " VALUES (?, ?, ?, ?, 'pending', ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET"
        " attempts = excluded.attempts, error = excluded.error, next_try_at = excluded.next_try_at",
        (
            send.key,
            send.conversation,
            send.person,
            send.message,
            send.attempts,
            error,
            format_utc(send.created_at),
            format_utc(next_try),
        ),
    )


def notice_write(key: str, person: str, message: OutgoingMessage, now: datetime) -> Write:
    """Say something of our own accord: the outbox sends it now, once for its key."""
    there, text = message.target.conversation.key, outgoing_to_json(message)
    return pending_write(PendingSend(key, there, person, text, 0, now), "", now)


def notice_key(why: str, *about: str) -> str:
    """The key of a notice: the same for the same reason and things, so it is sent once."""
    digest = hashlib.sha256("\0".join(about).encode("utf-8", "replace")).hexdigest()
    return f"{why}-{digest[:16]}/say"


def say_unit(key: str, person: str, message: OutgoingMessage, agent: str, now: datetime) -> Unit:
    """A notice that later turns of its conversation see, too, as a message of an agent."""
    there = message.target.conversation.key
    seen = NewMessage(key, there, f"agent:{agent}", "you", Trust.MEMBER, message.text, now)
    return Unit.of(notice_write(key, person, message, now), message_write(seen))


def outbox_state_write(key: str, state: str, error: str = "") -> Write:
    return Write(
        "UPDATE outbox SET state = ?, error = ? WHERE key = ? AND state = 'pending'",
        (state, error, key),
    )


_FIRST = (
    "state = 'pending' AND NOT EXISTS (SELECT 1 FROM outbox AS earlier"
    " WHERE earlier.state = 'pending'"
    " AND earlier.conversation = outbox.conversation AND earlier.person = outbox.person"
    " AND earlier.rowid < outbox.rowid)"
)
"""The oldest pending send per person and conversation; by row, as clocks may go back."""
_PLATFORM = "substr(conversation, 1, instr(conversation, ':') - 1)"


async def pending_sends(database: Database, platform: str, before: datetime) -> list[PendingSend]:
    """The first pending send to each person in a conversation of a platform, if due."""
    rows = await database.read(
        f"SELECT * FROM outbox WHERE {_FIRST} AND {_PLATFORM} = ? AND next_try_at <= ?"  # noqa: S608 - constants
        " ORDER BY rowid LIMIT 100",
        (platform, format_utc(before)),
    )
    return [made_of(PendingSend, row, created_at=parse_utc(row["created_at"])) for row in rows]


async def next_pending(database: Database) -> dict[str, datetime]:
    """By platform, the due time of the next send that is the first to its person."""
    rows = await database.read(
        f"SELECT {_PLATFORM} AS platform, min(next_try_at) AS at FROM outbox WHERE {_FIRST} "  # noqa: S608
        "GROUP BY 1"
    )
    return {row["platform"]: parse_utc(row["at"]) for row in rows}


async def held_back(database: Database) -> set[tuple[str, str]]:
    """Conversations, and the persons in them with a pending send."""
    rows = await database.read(
        "SELECT DISTINCT conversation, person FROM outbox WHERE state = 'pending'"
    )
    return {(row["conversation"], row["person"]) for row in rows}


@dataclass(frozen=True)
class KeptSend:
    """The state of a send that its platform did not accept at once."""

    state: str
    """pending, sent or dropped."""
    attempts: int
    error: str
    next_try_at: datetime


async def kept_sends(database: Database, turn: str) -> dict[str, KeptSend]:
    """A turn's sends (by its reference) that became pending, by turn and step."""
    rows = await database.read(
        "SELECT * FROM outbox WHERE key >= ? || '/' AND key < ? || '0'", (turn, turn)
    )
    return {
        step_of(row["key"]): KeptSend(
            row["state"], row["attempts"], row["error"], parse_utc(row["next_try_at"])
        )
        for row in rows
    }


async def count_pending(database: Database) -> int:
    return await read_number(database, "SELECT count(*) AS n FROM outbox WHERE state = 'pending'")


@dataclass(frozen=True)
class DraftStore:
    """Implements domain.drafts.OpenDrafts."""

    database: Database

    async def note(self, platform: str, draft: OpenDraft) -> None:
        where = (platform, draft.channel, draft.thread, draft.answers, draft.message)
        await self.database.write(
            Unit.of(put_home_value(HomeValue.DRAFT, joined_parts(where), draft.id))
        )

    async def forget(self, platform: str, id_: str) -> None:
        await self.database.write(Unit.of(drop_home_value(HomeValue.DRAFT, id_)))

    async def left(self, platform: str) -> Sequence[OpenDraft]:
        drafts = await home_values(self.database, HomeValue.DRAFT)
        stand = {id_: parts_of(where) for id_, where in drafts.items()}
        return [OpenDraft(id_, *where) for id_, (of, *where) in stand.items() if of == platform]


_IDENTITY_BYTES = 6


async def begin_life(database: Database) -> None:
    """Begin a new life for all work accepted from now on. Raises StorageError.

    A lost or restored database reuses numbers that an earlier one gave to other messages. Platforms
    remember keys for a while, so a number alone is not a safe key.
    """
    sql = (
        "INSERT INTO home_values (name, key, value, at) VALUES (?, CAST(coalesce((SELECT"
        " seq FROM sqlite_sequence WHERE name = 'inbox'), 0) AS TEXT), ?, '')"
        " ON CONFLICT (name, key) DO UPDATE SET value = excluded.value"
    )
    identity = secrets.token_hex(_IDENTITY_BYTES)
    await database.write(Unit.of(Write(sql, (HomeValue.LIFE, identity))))


async def lives(database: Database) -> list[tuple[int, str]]:
    """The last turn before each life, and the life's identity, in order."""
    begun = await home_values(database, HomeValue.LIFE)
    return sorted((int(after), identity) for after, identity in begun.items())
