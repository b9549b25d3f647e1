"""The table memory_passes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Unit, Write

KEPT = 100


@dataclass(frozen=True)
class MemoryPass:
    """The result of one pass."""

    at: datetime
    asked: bool
    people: int
    summaries: int
    entries: int
    merged: int = 0
    archived: int = 0
    failed: Sequence[tuple[str, str]] = ()
    """Person ids with waiting summaries, and the reason."""
    own: int = field(default=0, compare=False)
    """Summaries that taught their person's memory alone; known only while it runs."""

    def in_words(self) -> str:
        summaries, people = (
            counted(self.summaries, "summary", "summaries"),
            counted(self.people, "person", "people"),
        )
        told = f"{summaries} of {people} gave {counted(self.entries, 'entry', 'entries')}"
        told += f", {self.merged} merged" if self.merged else ""
        told += f", {self.archived} moved to the archive" if self.archived else ""
        return f"{told}; {len(self.failed)} failed and are tried again" if self.failed else told

    def why_own(self) -> str:
        """Why some summaries taught nobody else, and what to do; empty if there are none."""
        if not self.own:
            return ""
        return (
            f"{counted(self.own, 'summary', 'summaries')} taught their person alone: they are of "
            "direct messages, private channels or guests, or had text from outside. A person "
            "shares a sentence with all by `/share TEXT` and a yes."
        )


def counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def pass_unit(done: MemoryPass) -> Unit:
    """Records a pass, and deletes old records."""
    failed = json.dumps([list(one) for one in done.failed], ensure_ascii=False)
    at, asked = format_utc(done.at), int(done.asked)
    counts = (done.people, done.summaries, done.entries, done.merged, done.archived)
    return Unit.of(
        Write(
            "INSERT INTO memory_passes (at, asked, people, summaries, entries, merged, archived, "
            "failed)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (at, asked, *counts, failed),
        ),
        Write(
            "DELETE FROM memory_passes WHERE id <= (SELECT max(id) FROM memory_passes) - ?", (KEPT,)
        ),
    )


async def last_pass(database: Database) -> MemoryPass | None:
    row = await database.read_one("SELECT * FROM memory_passes ORDER BY id DESC LIMIT 1")
    if row is None:
        return None
    return MemoryPass(
        parse_utc(row["at"]),
        bool(row["asked"]),
        row["people"],
        row["summaries"],
        row["entries"],
        row["merged"],
        row["archived"],
        tuple((str(person), str(why)) for person, why in json.loads(row["failed"])),
    )
