"""Which requests tools served, as rows: written with the turn that taught it, read once at the start."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.clock import format_utc
from bot.domain.access import Role
from bot.domain.database import Database, Unit, Write

PER_TOOL = 10
"""Requests that are kept of each tool and role, the newest."""
KEEP = timedelta(days=180)


@dataclass(frozen=True)
class Lesson:
    """What a finished turn taught: these tools served these requests, given as sets of stems."""

    role: Role
    tools: tuple[str, ...] = ()
    requests: tuple[frozenset[str], ...] = ()


async def read_lessons(database: Database) -> list[tuple[Role, str, frozenset[str]]]:
    """Everything that is known, oldest first."""
    rows = await database.read("SELECT role, tool, words FROM tool_requests ORDER BY used_at, rowid")
    return [(Role(row["role"]), row["tool"], frozenset(row["words"].split())) for row in rows]


def lesson_unit(lesson: Lesson, now: datetime) -> Unit:
    """The writes that keep a lesson; they go with the turn that taught it."""
    writes: list[Write] = []
    for tool in lesson.tools:
        writes += [
            Write(
                "INSERT INTO tool_requests (role, tool, words, used_at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (role, tool, words) DO UPDATE SET used_at = excluded.used_at",
                (lesson.role.value, tool, " ".join(sorted(words)), format_utc(now)),
            )
            for words in lesson.requests
        ]
        writes.append(
            Write(
                "DELETE FROM tool_requests WHERE role = ? AND tool = ? AND (used_at < ? OR words NOT IN"
                " (SELECT words FROM tool_requests WHERE role = ? AND tool = ?"
                " ORDER BY used_at DESC, words LIMIT ?))",
                (lesson.role.value, tool, format_utc(now - KEEP), lesson.role.value, tool, PER_TOOL),
            )
        )
    return Unit(tuple(writes))


def forget_unit(tools: Collection[str]) -> Unit:
    return Unit(tuple(Write("DELETE FROM tool_requests WHERE tool = ?", (tool,)) for tool in sorted(tools)))
