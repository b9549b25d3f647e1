"""Sessions that are over or idle: the SQL of summaries, reports and the purge."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Row, Unit, Write
from bot.domain.sessions import Session, SessionKey
from bot.files.store import forget_session
from bot.memory.facts_store import drop_facts
from bot.sessions.records.session_store import READ_SESSIONS, session_in


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
        f"{READ_SESSIONS} WHERE instr(session_key, ?) > 0"
        " AND (? = 0 OR state = 'open' OR summarised_epoch < epoch) ORDER BY opened_at",
        (str(key).strip("|"), int(unsummarised)),
    )
    found = [(session_in(row).session, int(row["summarised_epoch"])) for row in rows]
    return [(session, epoch) for session, epoch in found if session.key.person == person]


@dataclass(frozen=True)
class TalksAhead:
    """Conversations that taught nothing yet."""

    open: int
    ended: int
    """Over, but without a summary yet."""

    def in_words(self, idle_minutes: int) -> str:
        """When they count, for the operator; empty without any."""
        told: list[str] = []
        if self.open:
            talks = "1 talk is" if self.open == 1 else f"{self.open} talks are"
            told.append(
                f"{talks} still open and count{'s' if self.open == 1 else ''} later: once it has "
                f"been quiet for {idle_minutes} minutes, or after /new."
            )
        if self.ended:
            told.append(
                f"{self.ended} that ended {'waits' if self.ended == 1 else 'wait'} for a summary, "
                "which a running Bellhop writes within minutes."
            )
        return " ".join(told)


async def talks_ahead(database: Database, person: str = "") -> TalksAhead:
    """The conversations of one person, or of everybody, that are open or not summarised yet."""
    rows = await database.read(
        "SELECT session_key, state FROM sessions WHERE state = 'open' OR summarised_epoch < epoch"
    )
    states = [
        row["state"]
        for row in rows
        if person in {"", SessionKey.parse(str(row["session_key"])).person}
    ]
    still = states.count("open")
    return TalksAhead(still, len(states) - still)


async def sessions_that_forgot(database: Database, person: str) -> list[str]:
    """Ids of a person's conversations in which they had something forgotten."""
    rows = await database.read(
        "SELECT id, session_key FROM sessions AS one WHERE EXISTS (SELECT 1 FROM session_values"
        " WHERE session = one.id AND name = 'forgotten')"
    )
    return [row["id"] for row in rows if SessionKey.parse(row["session_key"]).person == person]


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
