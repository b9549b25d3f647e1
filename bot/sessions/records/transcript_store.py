"""Transcripts: the SQL of what a person and the assistant said, and a cache of recent ones.

A turn's end and a new epoch store messages together with what changes in their session's row. With
the cache a warm turn costs the same at any length.
"""

import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import Any, cast

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.models import Usage
from bot.domain.origins import BELLHOP, Trust, escape
from bot.domain.sessions import Session, StoredBlock, TranscriptMessage, text_block
from bot.sessions.records.session_store import StoredSession, compact_json

KEPT_BYTES = 48_000_000
"""Across all sessions. Beyond it, others than the one in use are dropped and read again.

That takes two milliseconds per hundred messages, with encoding them for a request. The session in
use stays at any size, because its turns would pay that each time.
"""
MESSAGE_BYTES = 1_000
"""The memory of a message besides its texts: objects, and cached facts about it."""

_ENDLESS = 2**62
_DELETED = StoredBlock(
    text_block("<system-note>\nThey deleted this message afterwards.\n</system-note>"), BELLHOP
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
    """Update the session and append a turn's messages, in the unit that settles the turn.

    Rejected, by its first write, if the session has left the turn's epoch.
    """
    session = stored.session
    tools = tuple(outcome.tools)
    writes = [
        Write(
            "UPDATE sessions SET last_at = ?, tools = coalesce(?, tools), unlocked = ?,"
            " active_skills = ?, untold_facts = ?, seen_message = ?, next_seq = next_seq + ?,"
            " input_tokens = input_tokens + ?, output_tokens = output_tokens + ?,"
            " context_tokens = ? WHERE id = ? AND epoch = ?",
            (
                format_utc(now),
                None if tools == session.tools else compact_json(tools),
                compact_json(list(outcome.unlocked)),
                compact_json(list(outcome.active_skills)),
                compact_json(list(outcome.untold_facts)),
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
    ]
    if outcome.messages:
        writes.append(
            append_write(session.id, session.epoch, stored.next_seq, turn, outcome.messages)
        )
    return Unit(tuple(writes))


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
        "UPDATE sessions SET epoch = epoch + 1, system = ?, tools = ?, unlocked = ?,"
        " untold_facts = '[]', context_tokens = 0, next_seq = next_seq + ?"
        " WHERE id = ? AND epoch = ?",
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
        "UPDATE sessions SET input_tokens = input_tokens + ?, output_tokens = output_tokens + ?"
        " WHERE id = ?",
        (usage.total_input, usage.output_tokens, session_id),
    )


def append_write(
    session: str, epoch: int, seq: int, turn: int, messages: Sequence[TranscriptMessage]
) -> Write:
    """Append messages to an epoch; the first gets the number `seq`.

    They share a row, so that a turn changes few pages.
    """
    return Write(
        "INSERT INTO transcript (session_id, epoch, seq, turn, message) VALUES (?, ?, ?, ?, ?)",
        (session, epoch, seq, turn, compact_json([message.to_json() for message in messages])),
    )


async def transcript(
    database: Database, session: Session, since: int = 0, before: int = _ENDLESS
) -> list[TranscriptMessage]:
    """The messages of a session's epoch from number `since` on and below `before`.

    Both are 0 or a value that the session's `next_seq` had, so they cut no row in two.
    """
    rows = await database.read(
        "SELECT message FROM transcript WHERE session_id = ? AND epoch = ? AND seq >= ?"
        " AND seq < ? ORDER BY seq",
        (session.id, session.epoch, since, before),
    )
    return _messages([row["message"] for row in rows])


def _messages(rows: Sequence[str]) -> list[TranscriptMessage]:
    # Parsing them together lets them share the strings of their keys.
    found: list[list[JsonObject]] = json.loads(f"[{','.join(rows)}]")
    return [TranscriptMessage.from_json(message) for of_row in found for message in of_row]


async def unsaid_unit(database: Database, session: str, turn: int, text: str) -> Unit:
    """A turn's transcript without a message that its author deleted; empty where it is not there.

    `session` is the key of its sessions. The session notices by `rewritten` that what it keeps of
    its transcript is not what is stored.
    """
    rows = await database.read(
        "SELECT t.session_id, t.epoch, t.seq, t.message FROM transcript AS t"
        " JOIN sessions AS s ON s.id = t.session_id WHERE s.session_key = ? AND t.turn = ?",
        (session, turn),
    )
    writes: list[Write] = []
    for row in rows:
        said = _messages([row["message"]])
        left = [_without(message, text) for message in said]
        if left != said:
            place = (row["session_id"], row["epoch"], row["seq"])
            told = compact_json([message.to_json() for message in left])
            changed = (
                "UPDATE transcript SET message = ? WHERE session_id = ? AND epoch = ? AND seq = ?"
            )
            noted = "UPDATE sessions SET rewritten = rewritten + 1 WHERE id = ?"
            writes += [Write(changed, (told, *place)), Write(noted, place[:1])]
    return Unit(tuple(writes))


def _without(message: TranscriptMessage, text: str) -> TranscriptMessage:
    """The same message, with a note in place of what a person said in just these words."""
    if message.role != "user":
        return message
    gone = text_block(escape(text))
    blocks = tuple(
        replace(_DELETED, private=stored.private)
        if stored.block == gone and stored.origin.trust is Trust.PERSON
        else stored
        for stored in message.blocks
    )
    return replace(message, blocks=blocks)


@dataclass
class _Kept:
    next_seq: int
    """The number of the message after these, in the database."""
    messages: list[TranscriptMessage] = field(default_factory=list[TranscriptMessage])
    size: int = 0
    rewritten: int = 0
    """As in the session's row, when they were read."""

    def extend(self, messages: Sequence[TranscriptMessage]) -> int:
        """Continue with these messages; returns the added bytes."""
        size = sum(
            MESSAGE_BYTES + _bytes([stored.block for stored in message.blocks])
            for message in messages
        )
        self.messages.extend(messages)
        self.next_seq += len(messages)
        self.size += size
        return size


def _bytes(value: object) -> int:
    """The texts in a block, with the data of an image."""
    if isinstance(value, str):
        return sys.getsizeof(value)
    if isinstance(value, dict):
        return sum(map(_bytes, cast("JsonObject", value).values()))
    return sum(map(_bytes, cast("list[object]", value))) if isinstance(value, list) else 0


@dataclass(eq=False)
class Transcripts:
    """Reads a session's transcript once and extends it per turn; the database is the truth.

    A session's row says how long its transcript is. So what another process added since is noticed
    without a read, and only that is read.
    """

    database: Database
    _kept: dict[tuple[str, int], _Kept] = field(default_factory=dict[tuple[str, int], _Kept])
    _bytes: int = 0

    async def load(self, stored: StoredSession) -> list[TranscriptMessage]:
        """The messages of the session's epoch, in a list that the caller owns.

        `stored` is the session's row as it is now.
        """
        key = (stored.session.id, stored.session.epoch)
        kept = self._kept.get(key)
        marks = (stored.next_seq, stored.rewritten)
        if kept is None or (kept.next_seq, kept.rewritten) != marks:
            changed = kept is not None and kept.rewritten != stored.rewritten
            whole = kept is None or changed or kept.next_seq > stored.next_seq
            known = [] if kept is None or whole else list(kept.messages)
            since = 0 if kept is None or whole else kept.next_seq
            found = known + await transcript(self.database, stored.session, since, stored.next_seq)
            self.forget(stored.session)
            self._kept[key] = _Kept(stored.next_seq - len(found), rewritten=stored.rewritten)
            self._grow(key, found)
        return list(self._kept[key].messages)

    def finished(self, stored: StoredSession, messages: Sequence[TranscriptMessage]) -> None:
        """A turn was settled with these messages; it began with `stored`, the session's row."""
        key = (stored.session.id, stored.session.epoch)
        kept = self._kept.get(key)
        if kept is not None and kept.next_seq == stored.next_seq:
            self._grow(key, messages)

    def forget(self, session: Session) -> None:
        """Read it again next time: it is unknown whether a turn was settled."""
        dropped = self._kept.pop((session.id, session.epoch), None)
        self._bytes -= dropped.size if dropped else 0

    def _grow(self, key: tuple[str, int], messages: Sequence[TranscriptMessage]) -> None:
        self._bytes += self._kept[key].extend(messages)
        while self._bytes > KEPT_BYTES and len(self._kept) > 1:
            # By chance: where more sessions take turns than there is room for, the least recently
            # used is the one whose next turn comes soonest.
            at = random.randrange(len(self._kept))  # noqa: S311 - no secret
            other = next(islice(self._kept, at, None))  # there may be thousands: no list of them
            if other != key:
                self._bytes -= self._kept.pop(other).size
