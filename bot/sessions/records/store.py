"""Sessions and their transcripts: the SQL of what one person and the assistant share."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from bot.clock import format_utc, parse_utc
from bot.domain.access import Role
from bot.domain.database import Database, Row, Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.models import Usage
from bot.domain.sessions import Session, SessionKey, TranscriptMessage
from bot.files.seen_store import forget_session
from bot.memory.facts_store import drop_facts


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=64)
def _frozen(text: str) -> tuple[Any, ...]:
    """A frozen prefix, parsed once: each turn has the same, and mostly each session."""
    return tuple(json.loads(text))


_ENDLESS = 2**62


@dataclass(frozen=True)
class StoredSession:
    """A session with the counters that only its rows need."""

    session: Session
    next_seq: int
    untold_facts: tuple[str, ...]
    usage: Usage
    state: str
    end_reason: str | None
    context_tokens: int = 0
    """The provider's count for the epoch's last request and reply; 0 before the first."""


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
            system=_frozen(row["system"]),
            tools=_frozen(row["tools"]),
            unlocked=tuple(json.loads(row["unlocked"])),
            active_skills=tuple(json.loads(row["active_skills"])),
            seen_message=row["seen_message"],
            private=bool(row["private"]),
            dialect=row["dialect"],
        ),
        row["next_seq"],
        tuple(json.loads(row["untold_facts"])),
        Usage(input_tokens=row["input_tokens"], output_tokens=row["output_tokens"]),
        row["state"],
        row["end_reason"],
        row["context_tokens"],
    )


async def session_by_id(database: Database, session_id: str) -> StoredSession | None:
    row = await database.read_one("SELECT * FROM sessions WHERE id = ?", (session_id,))
    return _session(row) if row else None


async def newest_session(database: Database, key: SessionKey) -> StoredSession | None:
    """The open session of a key, or else the one that ended last."""
    row = await database.read_one(
        (
            "SELECT * FROM sessions WHERE session_key = ? ORDER BY state = 'open' DESC, opened_at "
            "DESC, id DESC LIMIT 1"
        ),
        (str(key),),
    )
    return _session(row) if row else None


def open_write(session: Session) -> Write:
    return Write(
        "INSERT INTO sessions (id, session_key, state, agent, role, epoch, opened_at, last_at, "
        "system, tools,"
        " unlocked, active_skills, seen_message, private, dialect)"
        " VALUES (?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
            session.dialect,
        ),
    )


def end_write(
    session_id: str, reason: str, now: datetime, seen_message: int | None = None
) -> Write:
    return Write(
        "UPDATE sessions SET state = 'ended', ended_at = ?, end_reason = ?,"
        " seen_message = coalesce(?, seen_message) WHERE id = ? AND state = 'open'",
        (format_utc(now), reason, seen_message, session_id),
    )


@dataclass(frozen=True)
class TurnOutcome:
    """A finished turn's additions to its session."""

    tools: Sequence[Any]
    unlocked: Sequence[Any]
    active_skills: Sequence[str]
    untold_facts: Sequence[str]
    seen_message: int
    usage: Usage
    context_tokens: int
    """How full the epoch is."""
    messages: Sequence[TranscriptMessage]


def turn_unit(stored: StoredSession, turn: int, outcome: TurnOutcome, now: datetime) -> Unit:
    """Append a turn's messages and update the session, in the unit that settles the turn.

    Rejected if the session has left the turn's epoch.
    """
    session = stored.session
    tools = tuple(outcome.tools)
    writes = [
        Write(
            "INSERT INTO transcript (session_id, epoch, seq, turn, message) VALUES (?, ?, ?, ?, ?)",
            (session.id, session.epoch, stored.next_seq + offset, turn, _json(message.to_json())),
        )
        for offset, message in enumerate(outcome.messages)
    ]
    writes.append(
        Write(
            "UPDATE sessions SET last_at = ?, tools = coalesce(?, tools), unlocked = ?, "
            "active_skills = ?,"
            " untold_facts = ?, seen_message = ?, next_seq = next_seq + ?, input_tokens = "
            "input_tokens + ?,"
            " output_tokens = output_tokens + ?, context_tokens = ? WHERE id = ? AND epoch = ?",
            (
                format_utc(now),
                None if tools == session.tools else _json(tools),
                _json(list(outcome.unlocked)),
                _json(list(outcome.active_skills)),
                _json(list(outcome.untold_facts)),
                outcome.seen_message,
                len(outcome.messages),
                outcome.usage.total_input,
                outcome.usage.output_tokens,
                outcome.context_tokens,
                session.id,
                session.epoch,
            ),
            rows=1,
        )
    )
    return Unit(tuple(writes))


async def transcript(
    database: Database, session: Session, since: int = 0, before: int = _ENDLESS
) -> list[TranscriptMessage]:
    """The messages of a session's epoch with numbers from `since` on and below `before`."""
    rows = await database.read(
        "SELECT message FROM transcript WHERE session_id = ? AND epoch = ? AND seq >= ?"
        " AND seq < ? ORDER BY seq",
        (session.id, session.epoch, since, before),
    )
    # Parsing them together lets them share the strings of their keys.
    messages: list[JsonObject] = json.loads(f"[{','.join(row['message'] for row in rows)}]")
    return [TranscriptMessage.from_json(message) for message in messages]


async def idle_sessions(database: Database, before: datetime) -> list[Row]:
    """Open sessions that nobody used since `before` and that have an empty queue."""
    return await database.read(
        "SELECT id, session_key FROM sessions WHERE state = 'open' AND last_at < ? LIMIT 100",
        (format_utc(before),),
    )


async def to_summarise(database: Database, limit: int) -> list[tuple[str, int]]:
    """Ended parts of sessions (id, epoch) without a summary: one per session, oldest first."""
    rows = await database.read(
        "SELECT id, summarised_epoch + 1 AS epoch FROM sessions WHERE summarised_epoch <"
        " CASE WHEN state = 'open' THEN epoch - 1 ELSE epoch END"
        " ORDER BY last_at LIMIT ?",
        (limit,),
    )
    return [(row["id"], row["epoch"]) for row in rows]


async def sessions_of(
    database: Database, person: str, *, unsummarised: bool = False
) -> list[tuple[Session, int]]:
    """A person's sessions, oldest first, each with its last part that has a summary.

    `unsummarised`: only those of which a part has none, because it is open or was just left.
    """
    key = SessionKey("", "", "", person)
    rows = await database.read(
        "SELECT * FROM sessions WHERE instr(session_key, ?) > 0"
        " AND (? = 0 OR state = 'open' OR summarised_epoch < epoch) ORDER BY opened_at",
        (str(key).strip("|"), int(unsummarised)),
    )
    found = [(_session(row).session, int(row["summarised_epoch"])) for row in rows]
    return [(session, epoch) for session, epoch in found if session.key.person == person]


def summarised_write(session_id: str, epoch: int) -> Write:
    """The stored summary of this part of a session was written."""
    return Write(
        "UPDATE sessions SET summarised_epoch = ? WHERE id = ? AND summarised_epoch < ?",
        (epoch, session_id, epoch),
    )


async def ended_before(database: Database, before: datetime, limit: int) -> list[str]:
    rows = await database.read(
        "SELECT id FROM sessions WHERE state = 'ended' AND ended_at < ? LIMIT ?",
        (format_utc(before), limit),
    )
    return [row["id"] for row in rows]


def purge_unit(sessions: Sequence[str]) -> Unit:
    """Delete ended sessions with their transcripts and facts."""
    deletes = (
        "DELETE FROM transcript WHERE session_id = ?",
        "DELETE FROM sessions WHERE id = ? AND state = 'ended'",
    )
    writes = [Write(sql, (session,)) for session in sessions for sql in deletes]
    return Unit((*writes, *(forget_session(session) for session in sessions))) + Unit.joined(
        drop_facts(session) for session in sessions
    )
