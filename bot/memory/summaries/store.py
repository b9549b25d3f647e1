"""The table summaries."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.clock import format_utc, parse_utc
from bot.domain.access import INNER_RANK, Role
from bot.domain.database import Database, Row, Write, made_of
from bot.domain.origins import Trust
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, Learned
from bot.domain.sessions import Session
from bot.domain.summaries import ConversationSummary, SummaryFields
from bot.memory.summaries.form import from_json, to_json

_MOST_PUBLIC = 5_000


def _summary_id(session_id: str, epoch: int) -> str:
    """Stays the same when the part is summarised again after a crash."""
    return hashlib.sha256(f"{session_id}|{epoch}".encode()).hexdigest()[:12]


def summary_write(summary: ConversationSummary) -> Write:
    return _insert(summary, _json(to_json(summary.fields)), "")


def nothing_write(summary: ConversationSummary, why: str) -> Write:
    """Records that a part gets no summary, and why."""
    return _insert(summary, None, why)


def _insert(summary: ConversationSummary, fields: str | None, why_not: str) -> Write:
    return Write(
        "INSERT INTO summaries (id, session_id, epoch, person, role, agent, conversation, reach, "
        "channel, trust,"
        " began_at, ended_at, significance, fields, why_not, by_model, tools)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            summary.id,
            summary.session_id,
            summary.epoch,
            summary.person,
            summary.role.value,
            summary.agent,
            summary.conversation,
            summary.learned.reach.value,
            summary.learned.channel,
            summary.trust.name.lower(),
            format_utc(summary.began_at),
            format_utc(summary.ended_at),
            summary.fields.significance,
            fields,
            why_not,
            int(summary.by_model),
            _json(list(summary.tools)),
        ),
    )


async def last_summary(
    database: Database, person: str, conversation: str, agent: str
) -> ConversationSummary | None:
    """The newest summary of this person's sessions in a conversation."""
    rows = await database.read(
        "SELECT * FROM summaries WHERE person = ? AND conversation = ? AND agent = ? AND fields IS "
        "NOT NULL"
        " ORDER BY ended_at DESC, epoch DESC LIMIT 1",
        (person, conversation, agent),
    )
    return _summary(rows[0]) if rows else None


async def summaries_of(
    database: Database, person: str, limit: int = 500
) -> list[ConversationSummary]:
    """A person's summaries, newest first."""
    rows = await database.read(
        (
            "SELECT * FROM summaries WHERE person = ? AND fields IS NOT NULL ORDER BY ended_at "
            "DESC, epoch DESC LIMIT ?"
        ),
        (person, limit),
    )
    return [_summary(row) for row in rows]


async def public_summaries(database: Database) -> list[ConversationSummary]:
    """The newest summaries of conversations that everybody could read."""
    rows = await database.read(
        (
            "SELECT * FROM summaries WHERE reach = ? AND fields IS NOT NULL ORDER BY ended_at "
            "DESC, epoch DESC LIMIT ?"
        ),
        (Reach.PUBLIC.value, _MOST_PUBLIC),
    )
    return [_summary(row) for row in rows]


@dataclass(frozen=True)
class NotCounted:
    """Summarised conversations whose ways of working are nobody else's."""

    private: int
    """In direct messages and private channels."""
    others: int
    """In public, but of a guest, or with text from outside."""

    def in_words(self) -> str:
        """What did not count and why, for the operator; empty if all did."""
        whys = (
            (self.private, "in direct messages and private channels, which stay there"),
            (self.others, "of guests, or with text from outside"),
        )
        told = ", ".join(f"{count} {why}" for count, why in whys if count)
        return (
            f"Conversations that did not count: {told}. A person shares a sentence with all by "
            "`/share TEXT` and a yes. `/skill found` offers them a way of working that recurs in "
            "their own conversations, as a skill of their own."
            if told
            else ""
        )


async def not_counted(database: Database) -> NotCounted:
    """How many conversations don't count for playbooks."""
    inner = [role.value for role in Role if role.rank >= INNER_RANK]
    trusted = [one.name.lower() for one in Trust if one < Trust.OUTSIDER]
    row = await database.read_one(
        "SELECT count(CASE WHEN reach <> ?1 THEN 1 END) AS private, count(CASE WHEN reach = ?1 AND"
        " (role NOT IN (SELECT value FROM json_each(?2))"
        " OR trust NOT IN (SELECT value FROM json_each(?3))) THEN 1 END) AS others"
        " FROM summaries WHERE fields IS NOT NULL",
        (Reach.PUBLIC.value, _json(inner), _json(trusted)),
    )
    return NotCounted(int(row["private"]), int(row["others"])) if row else NotCounted(0, 0)


async def undistilled(
    database: Database, person: str, agent: str, limit: int
) -> list[ConversationSummary]:
    """Summaries that no distillation has read, oldest first."""
    rows = await database.read(
        "SELECT * FROM summaries WHERE person = ? AND agent = ? AND distilled_at IS NULL AND "
        "fields IS NOT NULL"
        " ORDER BY ended_at, epoch LIMIT ?",
        (person, agent, limit),
    )
    return [_summary(row) for row in rows]


@dataclass(frozen=True)
class Backlog:
    """A person's summaries with one agent that wait for distillation."""

    person: str
    agent: str
    count: int
    oldest: datetime
    """The time at which the first of these conversations ended."""


async def backlogs(database: Database) -> list[Backlog]:
    rows = await database.read(
        "SELECT person, agent, count(*) AS n, min(ended_at) AS oldest FROM summaries"
        " WHERE distilled_at IS NULL AND fields IS NOT NULL GROUP BY person, agent"
    )
    return [
        Backlog(row["person"], row["agent"], row["n"], parse_utc(row["oldest"])) for row in rows
    ]


def distilled_write(ids: Sequence[str], now: datetime) -> Write:
    """Mark these summaries as distilled. The unit is rejected when one was forgotten meanwhile."""
    return Write(
        "UPDATE summaries SET distilled_at = ? WHERE distilled_at IS NULL AND fields IS NOT NULL"
        " AND id IN (SELECT value FROM json_each(?))",
        (format_utc(now), _json(list(ids))),
        rows=len(ids),
    )


async def unlogged(database: Database, limit: int) -> list[ConversationSummary]:
    """Summaries whose line may be missing in the file, oldest first."""
    rows = await database.read(
        (
            "SELECT * FROM summaries WHERE logged = 0 AND fields IS NOT NULL ORDER BY ended_at, "
            "epoch LIMIT ?"
        ),
        (limit,),
    )
    return [_summary(row) for row in rows]


def logged_write(ids: Sequence[str]) -> Write:
    return Write(
        "UPDATE summaries SET logged = 1 WHERE id IN (SELECT value FROM json_each(?))",
        (_json(list(ids)),),
    )


FORGOTTEN = "forgotten"


def forgotten_write(person: str, id_: str) -> Write:
    """Empty a person's summary but keep its row; `unlined` names it until its line is removed."""
    return Write(
        "UPDATE summaries SET fields = NULL, tools = '[]', why_not = ?, logged = 0"
        " WHERE id = ? AND person = ? AND fields IS NOT NULL",
        (FORGOTTEN, id_, person),
    )


async def any_forgotten(database: Database, session_id: str) -> bool:
    """Whether something of a session was forgotten: its later messages may repeat that."""
    sql = "SELECT 1 AS found FROM summaries WHERE session_id = ? AND why_not = ? LIMIT 1"
    return await database.read_one(sql, (session_id, FORGOTTEN)) is not None


async def unlined(database: Database, limit: int) -> dict[str, list[str]]:
    """By agent, the ids of forgotten summaries whose line may still stand in the file."""
    rows = await database.read(
        (
            "SELECT agent, id FROM summaries WHERE why_not = ? AND fields IS NULL AND logged = 0 "
            "LIMIT ?"
        ),
        (FORGOTTEN, limit),
    )
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["agent"], []).append(row["id"])
    return found


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _summary(row: Row) -> ConversationSummary:
    return made_of(
        ConversationSummary,
        row,
        role=Role(row["role"]),
        learned=Learned.of(row),
        trust=Trust[row["trust"].upper()],
        began_at=parse_utc(row["began_at"]),
        ended_at=parse_utc(row["ended_at"]),
        fields=from_json(json.loads(row["fields"])),
        by_model=bool(row["by_model"]),
        tools=tuple(json.loads(row["tools"])),
    )


def blank_summary(
    session: Session, epoch: int, learned: Learned = IN_DM, trust: Trust = Trust.EXTERNAL
) -> ConversationSummary:
    """An empty summary of one epoch: as private and untrusted as possible by default."""
    return ConversationSummary(
        id=_summary_id(session.id, epoch),
        session_id=session.id,
        epoch=epoch,
        person=session.key.person,
        role=session.role,
        agent=session.agent,
        conversation=session.key.conversation_key,
        learned=learned,
        trust=trust,
        began_at=session.opened_at,
        ended_at=session.last_at,
        fields=SummaryFields(""),
        by_model=False,
    )
