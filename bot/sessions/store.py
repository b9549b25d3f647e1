"""The tables of conversations, sessions, transcripts and the outbox (all SQL of this room)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.clock import format_utc, parse_utc
from bot.domain.access import Role
from bot.domain.database import Database, Row, Unit, Write
from bot.domain.messages import Conversation
from bot.domain.models import Usage
from bot.domain.origins import Origin, Trust
from bot.domain.sessions import Session, SessionKey, TranscriptMessage


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- conversations and their visible messages -----------------------------------------------------------------


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


def conversation_write(conversation: Conversation, private: bool, now: datetime) -> Write:
    return Write(
        "INSERT INTO conversations (key, platform, workspace, id, place, title, private, created_at, updated_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (key) DO UPDATE SET title = excluded.title, updated_at = excluded.updated_at",
        (
            conversation.key,
            conversation.platform,
            conversation.workspace,
            conversation.id,
            conversation.place.value,
            conversation.title,
            int(private),
            format_utc(now),
            format_utc(now),
        ),
    )


def follow_write(conversation: str) -> Write:
    """From now on what is said in this conversation reaches the assistant without a mention (design §3.8)."""
    return Write("UPDATE conversations SET followed = 1 WHERE key = ? AND followed = 0", (conversation,))


async def is_followed(database: Database, conversation: str) -> bool:
    return bool(await database.read("SELECT 1 FROM conversations WHERE key = ? AND followed = 1", (conversation,)))


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


def message_write(message: NewMessage) -> Write:
    return Write(
        "INSERT INTO messages (key, conversation, author, author_name, trust, addressee, text, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
        (
            message.key,
            message.conversation,
            message.author,
            message.author_name,
            message.trust.name.lower(),
            message.addressee,
            message.text,
            format_utc(message.at),
        ),
    )


def edit_write(key: str, text: str, at: datetime) -> Write:
    return Write("UPDATE messages SET text = ?, edited_at = ? WHERE key = ?", (text, format_utc(at), key))


def delete_write(key: str, at: datetime) -> Write:
    return Write("UPDATE messages SET text = '', deleted_at = ? WHERE key = ?", (format_utc(at), key))


async def visible_since(database: Database, conversation: str, after: int, limit: int) -> list[VisibleMessage]:
    """The newest `limit` messages of a conversation after row `after`, oldest first; deleted ones are left out."""
    rows = await database.read(
        "SELECT * FROM messages WHERE conversation = ? AND id > ? AND deleted_at IS NULL ORDER BY id DESC LIMIT ?",
        (conversation, after, limit),
    )
    return [
        VisibleMessage(
            row["id"],
            row["author"],
            row["author_name"],
            Origin(Trust[row["trust"].upper()], f"person:{row['author']}"),
            row["addressee"],
            row["text"],
            parse_utc(row["at"]),
        )
        for row in reversed(rows)
    ]


async def newest_message(database: Database, conversation: str) -> int:
    row = await database.read_one("SELECT max(id) AS id FROM messages WHERE conversation = ?", (conversation,))
    return int(row["id"] or 0) if row else 0


async def newest_key_of(database: Database, conversation: str, person: str) -> str | None:
    """The key of the newest message that a person wrote in a conversation."""
    row = await database.read_one(
        "SELECT key FROM messages WHERE conversation = ? AND author = ? ORDER BY id DESC LIMIT 1",
        (conversation, person),
    )
    return str(row["key"]) if row else None


async def message_id(database: Database, key: str) -> int | None:
    row = await database.read_one("SELECT id FROM messages WHERE key = ?", (key,))
    return int(row["id"]) if row else None


# --- sessions -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StoredSession:
    """A session with the counters that only its rows need."""

    session: Session
    next_seq: int
    untold_facts: tuple[str, ...]
    usage: Usage
    state: str
    end_reason: str | None


def _session(row: Row) -> StoredSession:
    return StoredSession(
        Session(
            id=row["id"],
            key=SessionKey.parse(row["session_key"]),
            agent=row["agent"],
            role=Role(row["role"]),
            opened_at=parse_utc(row["opened_at"]),
            last_at=parse_utc(row["last_at"]),
            epoch=row["epoch"],
            system=tuple(json.loads(row["system"])),
            tools=tuple(json.loads(row["tools"])),
            unlocked=tuple(json.loads(row["unlocked"])),
            active_skills=tuple(json.loads(row["active_skills"])),
            seen_message=row["seen_message"],
            private=bool(row["private"]),
        ),
        row["next_seq"],
        tuple(json.loads(row["untold_facts"])),
        Usage(input_tokens=row["input_tokens"], output_tokens=row["output_tokens"]),
        row["state"],
        row["end_reason"],
    )


async def session_by_id(database: Database, session_id: str) -> StoredSession | None:
    row = await database.read_one("SELECT * FROM sessions WHERE id = ?", (session_id,))
    return _session(row) if row else None


async def newest_session(database: Database, key: SessionKey) -> StoredSession | None:
    """The open session of a key, or else the one that ended last."""
    row = await database.read_one(
        "SELECT * FROM sessions WHERE session_key = ? ORDER BY state = 'open' DESC, opened_at DESC, id DESC LIMIT 1",
        (str(key),),
    )
    return _session(row) if row else None


def open_write(session: Session) -> Write:
    return Write(
        "INSERT INTO sessions (id, session_key, state, agent, role, epoch, opened_at, last_at, system, tools,"
        " unlocked, active_skills, seen_message, private) VALUES (?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session.id,
            str(session.key),
            session.agent,
            session.role.value,
            session.epoch,
            format_utc(session.opened_at),
            format_utc(session.last_at),
            _json(list(session.system)),
            _json(list(session.tools)),
            _json(list(session.unlocked)),
            _json(list(session.active_skills)),
            session.seen_message,
            int(session.private),
        ),
    )


def end_write(session_id: str, reason: str, now: datetime, seen_message: int | None = None) -> Write:
    return Write(
        "UPDATE sessions SET state = 'ended', ended_at = ?, end_reason = ?,"
        " seen_message = coalesce(?, seen_message) WHERE id = ? AND state = 'open'",
        (format_utc(now), reason, seen_message, session_id),
    )


@dataclass(frozen=True)
class TurnOutcome:
    """What a finished turn leaves in its session."""

    tools: Sequence[Any]
    unlocked: Sequence[Any]
    active_skills: Sequence[str]
    untold_facts: Sequence[str]
    seen_message: int
    usage: Usage
    messages: Sequence[TranscriptMessage]


def turn_unit(stored: StoredSession, turn: int, outcome: TurnOutcome, now: datetime) -> Unit:
    """Append the turn's messages to the transcript and move the session on, in one unit with settling the turn."""
    session = stored.session
    writes = [
        Write(
            "INSERT INTO transcript (session_id, epoch, seq, turn, message) VALUES (?, ?, ?, ?, ?)",
            (session.id, session.epoch, stored.next_seq + offset, turn, _json(message.to_json())),
        )
        for offset, message in enumerate(outcome.messages)
    ]
    writes.append(
        Write(
            "UPDATE sessions SET last_at = ?, tools = ?, unlocked = ?, active_skills = ?, untold_facts = ?,"
            " seen_message = ?, next_seq = next_seq + ?, input_tokens = input_tokens + ?,"
            " output_tokens = output_tokens + ? WHERE id = ?",
            (
                format_utc(now),
                _json(list(outcome.tools)),
                _json(list(outcome.unlocked)),
                _json(list(outcome.active_skills)),
                _json(list(outcome.untold_facts)),
                outcome.seen_message,
                len(outcome.messages),
                outcome.usage.total_input,
                outcome.usage.output_tokens,
                session.id,
            ),
            rows=1,
        )
    )
    return Unit(tuple(writes))


async def transcript(database: Database, session: Session) -> list[TranscriptMessage]:
    rows = await database.read(
        "SELECT message FROM transcript WHERE session_id = ? AND epoch = ? ORDER BY seq", (session.id, session.epoch)
    )
    return [TranscriptMessage.from_json(json.loads(row["message"])) for row in rows]


async def idle_sessions(database: Database, before: datetime) -> list[Row]:
    """Open sessions that nobody used since `before` and that have nothing in their queue."""
    return await database.read(
        "SELECT id, session_key FROM sessions WHERE state = 'open' AND last_at < ? LIMIT 100", (format_utc(before),)
    )


async def ended_before(database: Database, before: datetime, limit: int) -> list[str]:
    rows = await database.read(
        "SELECT id FROM sessions WHERE state = 'ended' AND ended_at < ? LIMIT ?", (format_utc(before), limit)
    )
    return [row["id"] for row in rows]


def purge_unit(sessions: Sequence[str]) -> Unit:
    """Delete ended sessions with their transcripts."""
    deletes = ("DELETE FROM transcript WHERE session_id = ?", "DELETE FROM sessions WHERE id = ? AND state = 'ended'")
    return Unit(tuple(Write(sql, (session,)) for session in sessions for sql in deletes))


# --- outbox ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PendingSend:
    """A send that its platform has not taken yet."""

    key: str
    conversation: str
    person: str
    message: str
    attempts: int
    created_at: datetime


def pending_write(send: PendingSend, error: str, next_try: datetime) -> Write:
    return Write(
        "INSERT INTO outbox (key, conversation, person, message, state, attempts, error, created_at, next_try_at)"
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


def outbox_state_write(key: str, state: str, error: str = "") -> Write:
    return Write("UPDATE outbox SET state = ?, error = ? WHERE key = ? AND state = 'pending'", (state, error, key))


_FIRST = (
    "state = 'pending' AND NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.state = 'pending'"
    " AND earlier.conversation = outbox.conversation AND earlier.person = outbox.person"
    " AND earlier.rowid < outbox.rowid)"
)
"""The oldest pending send to each person in a conversation; by row, since clocks may stand still or go back."""


async def pending_sends(database: Database, platform: str | None, before: datetime) -> list[PendingSend]:
    """The first pending send to each person in a conversation, if due; of one platform when it has just come back."""
    rows = await database.read(
        f"SELECT * FROM outbox WHERE {_FIRST} AND next_try_at <= ?"  # noqa: S608 - a constant
        " AND (? IS NULL OR substr(conversation, 1, length(?) + 1) = ? || ':') ORDER BY rowid LIMIT 100",
        (format_utc(before), platform, platform, platform),
    )
    return [
        PendingSend(
            row["key"],
            row["conversation"],
            row["person"],
            row["message"],
            row["attempts"],
            parse_utc(row["created_at"]),
        )
        for row in rows
    ]


async def next_pending(database: Database) -> datetime | None:
    """When the next one that is the first to its person is due."""
    row = await database.read_one(f"SELECT min(next_try_at) AS at FROM outbox WHERE {_FIRST}")  # noqa: S608 - a constant
    return parse_utc(row["at"]) if row and row["at"] else None


async def held_back(database: Database) -> set[tuple[str, str]]:
    """Conversations and the persons in them to whom something waits to be sent."""
    rows = await database.read("SELECT DISTINCT conversation, person FROM outbox WHERE state = 'pending'")
    return {(row["conversation"], row["person"]) for row in rows}


@dataclass(frozen=True)
class KeptSend:
    """What became of a send that its platform did not take at once."""

    state: str
    """pending, sent or dropped."""
    attempts: int
    error: str
    next_try_at: datetime


async def kept_sends(database: Database, turn: str) -> dict[str, KeptSend]:
    """The sends of a turn (its reference) that were kept for later, by their keys."""
    rows = await database.read("SELECT * FROM outbox WHERE key >= ? || '/' AND key < ? || '0'", (turn, turn))
    return {
        row["key"]: KeptSend(row["state"], row["attempts"], row["error"], parse_utc(row["next_try_at"])) for row in rows
    }


async def count_pending(database: Database) -> int:
    row = await database.read_one("SELECT count(*) AS n FROM outbox WHERE state = 'pending'")
    return int(row["n"]) if row else 0


def attachment_write(turn: int, position: int, name: str, mime: str, size: int, blob: str) -> Write:
    return Write(
        "INSERT INTO attachments (turn, position, name, mime, size, blob) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (turn, position) DO NOTHING",
        (turn, position, name, mime, size, blob),
    )
