"""The writes for a new epoch of a session in this room's tables (SQL as in store.py)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.domain.database import Unit, Write
from bot.domain.models import Usage
from bot.domain.sessions import TranscriptMessage
from bot.sessions.records.session_store import StoredSession
from bot.sessions.records.transcript_store import append_write


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


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
            _json(new.system),
            _json(new.tools),
            _json(new.unlocked),
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
