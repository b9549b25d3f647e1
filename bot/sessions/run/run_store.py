"""SQL of runs: a session's new epoch, and which sessions of a conversation found something out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.domain.database import Database, Unit, Write
from bot.domain.messages import Conversation
from bot.domain.models import Usage
from bot.domain.sessions import SessionKey, TranscriptMessage
from bot.sessions.records.session_store import StoredSession, compact_json, session_by_id
from bot.sessions.records.transcript_store import append_write


@dataclass(frozen=True)
class NewEpoch:
    """The start of a session's new epoch."""

    system: Sequence[Any]
    tools: Sequence[Any]
    unlocked: Sequence[Any]
    opening: Sequence[TranscriptMessage]
    leaving: Sequence[TranscriptMessage] = ()
    """The running turn's part of the old epoch, stored there for later readers."""


def epoch_unit(stored: StoredSession, turn: int, new: NewEpoch) -> Unit:
    """Switch a session to its next epoch.

    Refused (UnitRejected) when it has left the summarised epoch.
    """
    session, seq = stored.session, stored.next_seq
    parts = [
        (session.epoch, seq, new.leaving),
        (session.epoch + 1, seq + len(new.leaving), new.opening),
    ]
    writes = [
        append_write(session.id, epoch, first, turn, messages)
        for epoch, first, messages in parts
        if messages
    ]
    switch = Write(
        "UPDATE sessions SET epoch = epoch + 1, system = ?, tools = ?, unlocked = ?, untold_facts "
        "= '[]',"
        " context_tokens = 0, next_seq = next_seq + ? WHERE id = ? AND epoch = ?",
        (
            compact_json(new.system),
            compact_json(new.tools),
            compact_json(new.unlocked),
            len(new.leaving) + len(new.opening),
            session.id,
            session.epoch,
        ),
        rows=1,
    )
    return Unit((switch, *writes))


def usage_write(session_id: str, usage: Usage) -> Write:
    """Count the cost of a summary made outside a conversation's turn."""
    return Write(
        (
            "UPDATE sessions SET input_tokens = input_tokens + ?, output_tokens = output_tokens + "
            "? WHERE id = ?"
        ),
        (usage.total_input, usage.output_tokens, session_id),
    )


async def sessions_with_facts(
    database: Database, conversation: Conversation, besides: str, limit: int
) -> list[StoredSession]:
    """Sessions of other people with facts, the one used last first."""
    begin = (
        str(SessionKey(conversation.platform, conversation.workspace, conversation.id, "")).rstrip(
            "|"
        )
        + "|"
    )
    rows = await database.read(
        "SELECT id, session_key FROM sessions WHERE session_key >= ? AND session_key < ?"
        " AND EXISTS (SELECT 1 FROM known_facts WHERE session_id = sessions.id) ORDER BY last_at "
        "DESC LIMIT 100",
        (begin, f"{begin[:-1]}}}"),
    )
    others = [row["id"] for row in rows if SessionKey.parse(row["session_key"]).person != besides]
    found = [await session_by_id(database, id_) for id_ in others[:limit]]
    return [one for one in found if one is not None]
