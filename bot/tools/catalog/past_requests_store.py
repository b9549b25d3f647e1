"""Requests that tools served, as rows: written with their turn, read once at the start."""

from collections.abc import Collection
from datetime import datetime, timedelta

from bot.clock import format_utc
from bot.domain.database import ALWAYS, Condition, Database, Unit, Write
from bot.domain.places import Reach
from bot.domain.privacy import PUBLICLY, Learned
from bot.lazy_dataclass import dataclass

PER_TOOL = 10
"""The number of newest requests stored per tool, person and place."""
PER_PERSON = 200
KEEP = timedelta(days=180)


@dataclass(frozen=True)
class Lesson:
    """A finished turn's lesson: these tools served these requests, given as sets of stems."""

    person: str
    tools: tuple[str, ...] = ()
    requests: tuple[frozenset[str], ...] = ()
    learned: Learned = PUBLICLY
    """The place of the request; it counts where its person sees what was learned there."""


async def read_lessons(database: Database) -> list[Lesson]:
    """All stored lessons, one tool and request each, oldest first."""
    rows = await database.read("SELECT * FROM tool_requests ORDER BY used_at, rowid")
    return [
        Lesson(
            row["person"],
            (row["tool"],),
            (frozenset(row["words"].split()),),
            Learned(Reach(row["reach"]), row["channel"]),
        )
        for row in rows
    ]


def lesson_unit(lesson: Lesson, now: datetime, where: Condition = ALWAYS) -> Unit:
    """The writes that store a lesson; they are committed with the turn that taught it.

    The first one returns a row if the condition holds, else nothing is learned.
    """
    writes: list[Write] = []
    whose = (lesson.person, lesson.learned.reach.value, lesson.learned.channel)
    for tool in lesson.tools:
        writes += [
            Write(
                "INSERT INTO tool_requests (person, reach, channel, tool, words, used_at)"
                f" SELECT ?, ?, ?, ?, ?, ? WHERE {where.sql}"
                " ON CONFLICT (person, reach, channel, tool, words) DO UPDATE SET used_at = "
                "excluded.used_at RETURNING tool",
                (*whose, tool, " ".join(sorted(words)), format_utc(now), *where.params),
            )
            for words in lesson.requests
        ]
        writes.append(
            Write(
                "DELETE FROM tool_requests WHERE person = ? AND reach = ? AND channel = ? AND tool "
                "= ?"
                " AND (used_at < ? OR words NOT IN"
                " (SELECT words FROM tool_requests WHERE person = ? AND reach = ? AND channel = ? "
                "AND tool = ?"
                " ORDER BY used_at DESC, words LIMIT ?))",
                (*whose, tool, format_utc(now - KEEP), *whose, tool, PER_TOOL),
            )
        )
    if writes:
        writes.append(
            Write(
                "DELETE FROM tool_requests WHERE person = ? AND rowid NOT IN (SELECT rowid FROM "
                "tool_requests"
                " WHERE person = ? ORDER BY used_at DESC, rowid DESC LIMIT ?)",
                (lesson.person, lesson.person, PER_PERSON),
            )
        )
    return Unit(tuple(writes))


def forget_unit(tools: Collection[str]) -> Unit:
    return Unit(
        tuple(Write("DELETE FROM tool_requests WHERE tool = ?", (tool,)) for tool in sorted(tools))
    )
