"""Which requests tools served, as rows: written with the turn that taught it, read once at the start."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write

PER_TOOL = 10
"""Requests that are kept of each tool and person, the newest; those in private apart from the others."""
PER_PERSON = 200
KEEP = timedelta(days=180)


@dataclass(frozen=True)
class Lesson:
    """What a finished turn taught: these tools served these requests of a person, given as sets of stems."""

    person: str
    tools: tuple[str, ...] = ()
    requests: tuple[frozenset[str], ...] = ()
    private: bool = False
    """It was asked where only this person sees the conversation, and counts only there."""


async def read_lessons(database: Database) -> list[Lesson]:
    """Everything that is known, one tool and request each, oldest first."""
    rows = await database.read("SELECT * FROM tool_requests ORDER BY used_at, rowid")
    return [
        Lesson(row["person"], (row["tool"],), (frozenset(row["words"].split()),), bool(row["private"])) for row in rows
    ]


def lesson_unit(lesson: Lesson, now: datetime) -> Unit:
    """The writes that keep a lesson; they go with the turn that taught it."""
    writes: list[Write] = []
    person, private = lesson.person, int(lesson.private)
    for tool in lesson.tools:
        writes += [
            Write(
                "INSERT INTO tool_requests (person, private, tool, words, used_at) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (person, private, tool, words) DO UPDATE SET used_at = excluded.used_at",
                (person, private, tool, " ".join(sorted(words)), format_utc(now)),
            )
            for words in lesson.requests
        ]
        writes.append(
            Write(
                "DELETE FROM tool_requests WHERE person = ? AND private = ? AND tool = ?"
                " AND (used_at < ? OR words NOT IN"
                " (SELECT words FROM tool_requests WHERE person = ? AND private = ? AND tool = ?"
                " ORDER BY used_at DESC, words LIMIT ?))",
                (person, private, tool, format_utc(now - KEEP), person, private, tool, PER_TOOL),
            )
        )
    if writes:
        writes.append(
            Write(
                "DELETE FROM tool_requests WHERE person = ? AND rowid NOT IN (SELECT rowid FROM tool_requests"
                " WHERE person = ? ORDER BY used_at DESC, rowid DESC LIMIT ?)",
                (person, person, PER_PERSON),
            )
        )
    return Unit(tuple(writes))


def forget_unit(tools: Collection[str]) -> Unit:
    return Unit(tuple(Write("DELETE FROM tool_requests WHERE tool = ?", (tool,)) for tool in sorted(tools)))
