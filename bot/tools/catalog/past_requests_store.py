"""Requests that tools served, as rows: written with their turn, read once at the start."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.clock import format_utc, parse_utc
from bot.domain.database import ALWAYS, Condition, Database, Row, Unit, Write
from bot.domain.privacy import PUBLICLY, Learned

PER_TOOL = 10
"""The number of newest requests that count per tool, person and place."""
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
    """All stored lessons that are within the limits, one tool and request each, oldest first."""
    rows = await database.read("SELECT * FROM tool_requests ORDER BY used_at, rowid")
    return [
        Lesson(
            row["person"],
            (row["tool"],),
            (frozenset(row["words"].split()),),
            Learned.of(row),
        )
        for row in _within_limits(rows)
    ]


def _within_limits(rows: Sequence[Row]) -> list[Row]:
    """What pruning leaves of these rows, which are in the order of their use."""
    oldest: dict[tuple[str, ...], str] = {}
    of_tool, of_person = Counter[tuple[str, ...]](), Counter[str]()
    kept: list[Row] = []
    for row in reversed(rows):
        person, used_at = row["person"], row["used_at"]
        tool = (person, row["reach"], row["channel"], row["tool"])
        if tool not in oldest:
            oldest[tool] = format_utc(parse_utc(used_at) - KEEP)
        too_many = of_tool[tool] == PER_TOOL or of_person[person] == PER_PERSON
        if used_at >= oldest[tool] and not too_many:
            of_tool[tool] += 1
            of_person[person] += 1
            kept.append(row)
    return kept[::-1]


def lesson_unit(
    lesson: Lesson, now: datetime, where: Condition = ALWAYS, *, prune: bool = True
) -> Unit:
    """The writes that store a lesson; they are committed with the turn that taught it.

    The first one returns a row if the condition holds, else nothing is learned. With `prune`, the
    person's rows beyond the limits are deleted.
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
    if writes and prune:
        writes += _prune(lesson, now)
    return Unit(tuple(writes))


def _prune(lesson: Lesson, now: datetime) -> Iterator[Write]:
    person, learned = lesson.person, lesson.learned
    for tool in lesson.tools:
        yield Write(
            "DELETE FROM tool_requests WHERE person = ? AND reach = ? AND channel = ? AND tool = ?"
            " AND used_at < ?",
            (person, learned.reach.value, learned.channel, tool, format_utc(now - KEEP)),
        )
    yield Write(
        "DELETE FROM tool_requests WHERE person = ? AND rowid NOT IN (SELECT rowid FROM"
        " (SELECT rowid, used_at, row_number() OVER (PARTITION BY reach, channel, tool"
        " ORDER BY used_at DESC, rowid DESC) AS of_tool FROM tool_requests WHERE person = ?)"
        " AS ranked WHERE of_tool <= ? ORDER BY used_at DESC, rowid DESC LIMIT ?)",
        (person, person, PER_TOOL, PER_PERSON),
    )


def unlearn_unit(person: str, requests: Collection[frozenset[str]]) -> Unit:
    """Forget what these requests of a person taught, wherever they were made."""
    return Unit(
        tuple(
            Write("DELETE FROM tool_requests WHERE person = ? AND words = ?", (person, words))
            for words in sorted(" ".join(sorted(request)) for request in requests)
        )
    )


def forget_unit(tools: Collection[str]) -> Unit:
    return Unit(
        tuple(Write("DELETE FROM tool_requests WHERE tool = ?", (tool,)) for tool in sorted(tools))
    )
