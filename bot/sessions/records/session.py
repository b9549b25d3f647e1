"""Sessions: which one a message belongs to, when a new one opens, and its prefix.

See docs/rules.md#conversations-and-sessions.
"""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.agents.prompt.system_prompt import FrozenPrefix, PromptBuilder
from bot.domain.access import Person
from bot.domain.agents import AgentDefinition
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.sessions import Session, SessionKey
from bot.domain.tool_context import ToolScope
from bot.sessions.records.conversation_store import newest_message
from bot.sessions.records.store import (
    StoredSession,
    end_write,
    newest_session,
    open_write,
    session_by_id,
)
from bot.tools.toolset.toolset import Toolset


@dataclass(frozen=True)
class SessionPlace:
    """The key, person, agent and place by which a session is looked up."""

    key: SessionKey
    person: Person
    agent: AgentDefinition
    conversation: str
    private: bool


@dataclass(frozen=True)
class SessionForTurn:
    """The session of a turn. `unit` opens it (and ends its predecessor) when it is new."""

    session: Session
    fresh: bool
    unit: Unit = Unit()
    seen: int = 0
    """Messages up to this row need not be shown to the session."""
    untold_facts: tuple[str, ...] = ()
    stored: StoredSession | None = None
    """The session's row; None if it is new."""


class Sessions:
    """Finds or opens the session of a turn, and ends sessions."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        prompts: PromptBuilder,
        idle: timedelta,
        dialect: str = "",
        *,
        approval_open: Callable[[str], Awaitable[bool]] | None = None,
    ) -> None:
        """`approval_open`: whether an approval of a session (by key) is open."""
        self._database = database
        self._clock = clock
        self._prompts = prompts
        self._idle = idle
        self._dialect = dialect
        self._approval_open = approval_open

    async def find(
        self, place: SessionPlace, turn: int, scope: ToolScope, toolset: Callable[[], Toolset]
    ) -> SessionForTurn:
        """The open session if it may continue, else a new one with a prefix that is frozen now.

        A session ends when the person's role or the agent changed. It ends after the idle time
        unless its approval is still open. It also ends when the current model does not understand
        the tool declarations in its transcript.
        """
        now = self._clock.now()
        newest = await newest_session(self._database, place.key)
        reason = _why_not(newest, place, now, self._idle) if newest else "none"
        if (
            reason == "idle"
            and self._approval_open is not None
            and await self._approval_open(str(place.key))
        ):
            reason = None
        if (
            newest is not None
            and reason is None
            and newest.session.dialect not in {"", self._dialect}
        ):
            reason = "model changed"
        if newest is not None and reason is None:
            return SessionForTurn(
                newest.session,
                False,
                Unit(),
                newest.session.seen_message,
                newest.untold_facts,
                newest,
            )
        return await self._open(place, turn, scope, toolset(), newest, reason or "")

    async def _open(
        self,
        place: SessionPlace,
        turn: int,
        scope: ToolScope,
        toolset: Toolset,
        newest: StoredSession | None,
        reason: str,
    ) -> SessionForTurn:
        now = self._clock.now()
        prefix: FrozenPrefix = await self._prompts.build_system_prompt(place.agent, scope, toolset)
        seen = self._first_visible(newest)
        session = Session(
            id=_session_id(place.key, turn),
            key=place.key,
            agent=place.agent.name,
            role=place.person.role,
            opened_at=now,
            last_at=now,
            system=prefix.system,
            tools=prefix.tools,
            seen_message=seen,
            private=place.private,
            dialect=self._dialect,
        )
        writes: list[Write] = []
        if newest is not None and newest.state == "open":
            writes.append(end_write(newest.session.id, reason, now))
        writes.append(open_write(session))
        return SessionForTurn(session, True, Unit(tuple(writes)), seen)

    @staticmethod
    def _first_visible(newest: StoredSession | None) -> int:
        """After /new a session starts blank; otherwise it sees the last visible messages."""
        if newest is not None and newest.state == "ended" and newest.end_reason == "new":
            return newest.session.seen_message
        return 0

    async def load(self, session_id: str) -> StoredSession | None:
        return await session_by_id(self._database, session_id)

    async def end(
        self, key: SessionKey, conversation: str, reason: str, before: datetime | None = None
    ) -> bool:
        """End a key's open session; False without one, or without one opened until `before`."""
        newest = await newest_session(self._database, key)
        if newest is None or newest.state != "open":
            return False
        if before is not None and newest.session.opened_at > before:
            return False
        seen = await newest_message(self._database, conversation)
        await self._database.write(
            Unit.of(end_write(newest.session.id, reason, self._clock.now(), seen))
        )
        return True


def _why_not(
    newest: StoredSession, place: SessionPlace, now: datetime, idle: timedelta
) -> str | None:
    session = newest.session
    if newest.state != "open":
        return newest.end_reason or "ended"
    if session.role is not place.person.role:
        return "role changed"
    if session.agent != place.agent.name:
        return "agent changed"
    if now - session.last_at > idle:
        return "idle"
    return None


def _session_id(key: SessionKey, turn: int) -> str:
    """Stays the same when the step that opens it runs again after a crash."""
    return "s" + hashlib.sha256(f"{key}|{turn}".encode()).hexdigest()[:15]
