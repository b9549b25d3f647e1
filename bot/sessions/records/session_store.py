"""Sessions: which one a message belongs to, when a new one opens, its prefix, and its row.

See docs/rules.md#conversations-and-sessions.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from bot.agents.prompt.system_prompt import PromptBuilder
from bot.clock import format_utc, parse_utc
from bot.domain.access import Role
from bot.domain.agents import AgentDefinition
from bot.domain.clock import Clock
from bot.domain.database import Database, Read, Row, Unit, Write, made_of
from bot.domain.messages import Conversation
from bot.domain.models import Usage
from bot.domain.sessions import Session, SessionKey
from bot.domain.tool_context import ToolScope
from bot.memory.facts_store import HAS_FACTS
from bot.sessions.records.conversation_store import newest_message
from bot.tools.toolset.toolset import Toolset

READ_SESSIONS = f"SELECT *, {HAS_FACTS} AS has_facts FROM sessions"  # noqa: S608 - constants
"""The columns that `session_in` reads."""
_NEWEST = (
    "WHERE id = coalesce((SELECT id FROM sessions WHERE session_key = ? AND state = 'open'),"
    " (SELECT id FROM sessions WHERE session_key = ? ORDER BY opened_at DESC, id DESC LIMIT 1))"
)
"""Both are found by an index: a key may have hundreds of ended sessions."""


def compact_json(value: Any) -> str:
    """As rows of sessions and transcripts hold it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=64)
def _frozen(text: str) -> tuple[Any, ...]:
    """A frozen prefix, parsed once: each turn has the same, and mostly each session."""
    return tuple(json.loads(text))


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
    has_facts: bool = True
    rewritten: int = 0
    """How often its transcript was changed because somebody deleted a message."""


def session_in(row: Row) -> StoredSession:
    return StoredSession(
        made_of(
            Session,
            row,
            key=SessionKey.parse(row["session_key"]),
            role=Role(row["role"]),
            opened_at=parse_utc(row["opened_at"]),
            last_at=parse_utc(row["last_at"]),
            system=_frozen(row["system"]),
            tools=_frozen(row["tools"]),
            unlocked=tuple(json.loads(row["unlocked"])),
            active_skills=tuple(json.loads(row["active_skills"])),
            private=bool(row["private"]),
            shared=bool(row["shared"]),
        ),
        row["next_seq"],
        tuple(json.loads(row["untold_facts"])),
        Usage(input_tokens=row["input_tokens"], output_tokens=row["output_tokens"]),
        row["state"],
        row["end_reason"],
        row["context_tokens"],
        bool(row["has_facts"]),
        row["rewritten"],
    )


async def session_by_id(database: Database, session_id: str) -> StoredSession | None:
    row = await database.read_one(f"{READ_SESSIONS} WHERE id = ?", (session_id,))
    return session_in(row) if row else None


async def newest_session(database: Database, key: SessionKey) -> StoredSession | None:
    """The open session of a key, or else the one that ended last."""
    read = newest_read(key)
    return newest_in(await database.read(read.sql, read.params))


def newest_read(key: SessionKey) -> Read:
    return Read(f"{READ_SESSIONS} {_NEWEST}", (str(key), str(key)))


def newest_in(rows: Sequence[Row]) -> StoredSession | None:
    return session_in(rows[0]) if rows else None


def seen_read(key: SessionKey) -> Read:
    """Up to which message the newest session of a key has seen its conversation."""
    return Read(f"SELECT seen_message FROM sessions {_NEWEST}", (str(key), str(key)))  # noqa: S608


async def sessions_with_facts(
    database: Database, conversation: Conversation, besides: str, limit: int
) -> list[StoredSession]:
    """Sessions of other people with facts, the one used last first."""
    key = SessionKey(conversation.platform, conversation.workspace, conversation.id, "")
    begin = str(key).rstrip("|") + "|"
    rows = await database.read(
        "SELECT id, session_key FROM sessions WHERE session_key >= ? AND session_key < ?"
        " AND EXISTS (SELECT 1 FROM known_facts WHERE session_id = sessions.id)"
        " ORDER BY last_at DESC LIMIT 100",
        (begin, f"{begin[:-1]}}}"),
    )
    others = [row["id"] for row in rows if SessionKey.parse(row["session_key"]).person != besides]
    found = [await session_by_id(database, id_) for id_ in others[:limit]]
    return [one for one in found if one is not None]


def open_write(session: Session, system: str, tools: str) -> Write:
    """`system`, `tools`: the frozen prefix as JSON."""
    return Write(
        "INSERT INTO sessions (id, session_key, state, agent, role, epoch, opened_at, last_at,"
        " system, tools, unlocked, active_skills, seen_message, private, dialect, shared)"
        " VALUES (?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session.id,
            str(session.key),
            session.agent,
            session.role.value,
            session.epoch,
            format_utc(session.opened_at),
            format_utc(session.last_at),
            system,
            tools,
            compact_json(list(session.unlocked)),
            compact_json(list(session.active_skills)),
            session.seen_message,
            int(session.private),
            session.dialect,
            int(session.shared),
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
class SessionForTurn:
    """The session of a turn. `unit` opens it (and ends its predecessor) when it is new."""

    stored: StoredSession
    fresh: bool
    unit: Unit = Unit()
    seen: int = 0
    """Messages up to this row need not be shown to the session."""


@dataclass(frozen=True)
class Sessions:
    """Finds or opens the session of a turn, and ends sessions."""

    database: Database
    clock: Clock
    prompts: PromptBuilder
    idle: timedelta
    dialect: str = ""
    approval_open: Callable[[str], Awaitable[bool]] | None = None
    """Whether an approval of a session (by key) is open."""

    async def find(
        self,
        key: SessionKey,
        agent: AgentDefinition,
        newest: StoredSession | None,
        turn: int,
        scope: ToolScope,
        toolset: Callable[[], Toolset],
    ) -> SessionForTurn:
        """The newest session if it may continue, else a new one with a prefix that is frozen now.

        A session ends when the person's role or the agent changed, and when people of another
        company can read the place now: it may hold what they must not read. It ends after the idle
        time unless its approval is still open. It also ends when the current model does not
        understand the tool declarations in its transcript.
        """
        reason = self._why_not(newest, agent, scope) if newest else "none"
        asks = self.approval_open
        if reason == "idle" and asks is not None and await asks(str(key)):
            reason = None
        if (
            newest is not None
            and reason is None
            and newest.session.dialect not in {"", self.dialect}
        ):
            reason = "model changed"
        if newest is not None and reason is None:
            return SessionForTurn(newest, False, seen=newest.session.seen_message)
        return await self._open(key, agent, turn, scope, toolset(), newest, reason or "")

    def _why_not(
        self, newest: StoredSession, agent: AgentDefinition, scope: ToolScope
    ) -> str | None:
        session = newest.session
        if newest.state != "open":
            return newest.end_reason or "ended"
        if session.role is not scope.person.role:
            return "role changed"
        if scope.location.shared and not session.shared:
            return "others read here"
        if session.agent != agent.name:
            return "agent changed"
        return "idle" if self.clock.now() - session.last_at > self.idle else None

    async def _open(
        self,
        key: SessionKey,
        agent: AgentDefinition,
        turn: int,
        scope: ToolScope,
        toolset: Toolset,
        newest: StoredSession | None,
        reason: str,
    ) -> SessionForTurn:
        now = self.clock.now()
        prefix = await self.prompts.build_system_prompt(agent, scope, toolset)
        system, tools = compact_json(list(prefix.system)), compact_json(list(prefix.tools))
        # After /new a session starts blank; otherwise it sees the last visible messages.
        blank = newest is not None and (newest.state, newest.end_reason) == ("ended", "new")
        seen = newest.session.seen_message if newest is not None and blank else 0
        session = Session(
            # The same when the step that opens it runs again after a crash.
            id="s" + hashlib.sha256(f"{key}|{turn}".encode()).hexdigest()[:15],
            key=key,
            agent=agent.name,
            role=scope.person.role,
            opened_at=now,
            last_at=now,
            system=_frozen(system),
            tools=_frozen(tools),
            seen_message=seen,
            private=scope.private,
            dialect=self.dialect,
            shared=scope.location.shared,
        )
        unit = Unit.of(open_write(session, system, tools))
        if newest is not None and newest.state == "open":
            unit = Unit.of(end_write(newest.session.id, reason, now)) + unit
        stored = StoredSession(session, 0, (), Usage(), "open", None, has_facts=False)
        return SessionForTurn(stored, True, unit, seen)

    async def load(self, session_id: str) -> StoredSession | None:
        return await session_by_id(self.database, session_id)

    async def end(
        self, key: SessionKey, conversation: str, reason: str, before: datetime | None = None
    ) -> bool:
        """End a key's open session; False without one, or without one opened until `before`."""
        newest = await newest_session(self.database, key)
        if newest is None or newest.state != "open":
            return False
        if before is not None and newest.session.opened_at > before:
            return False
        seen = await newest_message(self.database, conversation)
        await self.database.write(
            Unit.of(end_write(newest.session.id, reason, self.clock.now(), seen))
        )
        return True
