"""The table distillations: entries on their way to the tiers; a crash loses or repeats none."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Write, made_of
from bot.domain.memory import Tier
from bot.memory.distillation.routing import Routed
from bot.memory.entries import format_entry, parse_entries


@dataclass(frozen=True)
class Planned:
    """Entries of one group that may not be written yet."""

    id: int
    person: str
    agent: str
    sources: Sequence[str]
    entries: Sequence[Routed]


def planned_write(
    person: str, agent: str, sources: Sequence[str], entries: Sequence[Routed], now: datetime
) -> Write:
    lines = [
        [one.tier.value, format_entry(one.entry), [format_entry(old) for old in one.replaces]]
        for one in entries
    ]
    return Write(
        (
            "INSERT INTO distillations (person, agent, sources, entries, made_at) VALUES (?, ?, ?, "
            "?, ?)"
        ),
        (
            person,
            agent,
            json.dumps(list(sources)),
            json.dumps(lines, ensure_ascii=False),
            format_utc(now),
        ),
    )


def applied_write(id_: int) -> Write:
    """Its entries are written to the tiers."""
    return Write("DELETE FROM distillations WHERE id = ?", (id_,))


def dropped_write(person: str, sources: Sequence[str]) -> Write:
    """Drop unwritten decisions from these summaries."""
    return Write(
        "DELETE FROM distillations WHERE person = ? AND EXISTS (SELECT 1 FROM json_each(sources)"
        " WHERE value IN (SELECT value FROM json_each(?)))",
        (person, json.dumps(list(sources))),
    )


async def planned(database: Database) -> list[Planned]:
    """Unfinished decisions of a pass, perhaps of one that was cut off; oldest first."""
    rows = await database.read("SELECT * FROM distillations ORDER BY id")
    return [
        made_of(
            Planned,
            row,
            sources=tuple(json.loads(row["sources"])),
            entries=tuple(one for line in json.loads(row["entries"]) for one in _routed(*line)),
        )
        for row in rows
    ]


def _routed(tier: str, line: str, replaces: Sequence[str] = ()) -> list[Routed]:
    """What one item of the column `entries` says; a third element came later than the first two."""
    old = tuple(entry for text in replaces for entry in parse_entries(text))
    return [Routed(Tier(tier), entry, old) for entry in parse_entries(line)]
