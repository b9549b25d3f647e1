"""What each pass over memory did, as values of the home."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Unit
from bot.storage.values import HomeValue, drop_but_newest, home_values, put_home_value

KEPT = 100
_RECORDED = ("asked", "people", "summaries", "entries", "merged", "archived", "failed")


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
    record = {name: getattr(done, name) for name in _RECORDED}
    text = json.dumps(record, ensure_ascii=False)
    return Unit.of(
        put_home_value(HomeValue.MEMORY_PASS, text, format_utc(done.at), at=done.at),
        drop_but_newest(HomeValue.MEMORY_PASS, KEPT),
    )


async def last_pass(database: Database) -> MemoryPass | None:
    passes = await home_values(database, HomeValue.MEMORY_PASS)
    if not passes:
        return None
    at, text = max(passes.items())
    record = json.loads(text)
    failed = tuple((str(person), str(why)) for person, why in record.pop("failed"))
    return MemoryPass(parse_utc(at), **record, failed=failed)
