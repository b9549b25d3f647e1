"""The tool `remember`: a read-only search over all that is known of a person and may be said here.

By words, by time, or both. Each thing is shown with the id by which `forget` removes it.
"""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from bot.dates.past import Period, read_past
from bot.dates.reading import Unclear
from bot.domain.json_types import JsonObject
from bot.domain.memory import MemoryEntry, Recalls, Recollection, Tier, Wanted
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import Learned, left_out
from bot.domain.tools import NativeTool, ToolContext, ToolResult
from bot.errors import ToolError
from bot.memory.kept import FactsOfSession, entry_id, is_open, shortened
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.memory.visible import VisibleTier, read_visible
from bot.memory.words import stems

log = logging.getLogger(__name__)

TEXT_CHARS = 1000
"""How much of one entry an answer shows."""
RESULT_CHARS = 12_000
"""How much of all entries together."""
BEST = 5
AT_ONCE = 50
_MOMENT = timedelta(microseconds=1)

Filled = Annotated[str, Field(min_length=1), WithJsonSchema({"type": "string"})]
Words = Annotated[str, Field(max_length=1000), WithJsonSchema({"type": "string"})]
Limit = Annotated[int, Field(ge=1, le=AT_ONCE), WithJsonSchema({"type": "integer"})]
"""Checked, but not declared: the schema stands in every request."""


class Remember(BaseModel):
    """Arguments of `remember`."""

    model_config = ConfigDict(extra="forbid")

    query: Filled | None = None
    since: Words | None = None
    until: Words | None = None
    limit: Limit | None = None


@dataclass(frozen=True)
class Hit:
    tier: Tier
    entry: MemoryEntry
    overlap: int
    """How many of the query's stems the entry holds."""


@dataclass(frozen=True)
class _Found:
    """One thing to show, from a tier or from elsewhere."""

    shown: JsonObject
    rank: tuple[int, int, date]
    time: tuple[str, str]
    """The day, and what orders things of one day."""
    origin: Origin
    learned: Learned


def remember_tool(store: MemoryStore, settings: MemorySettings, others: Sequence[Recalls] = ()) -> NativeTool[Remember]:
    """Searches all entries of the visible tiers, those included that found no room in the prompt, and `others`.

    A tier whose budget is 0 is switched off, here as in the prompt.
    """

    async def run(context: ToolContext, arguments: Remember) -> ToolResult:
        wanted = await _wanted(context, arguments)
        memory = await read_visible(store, person=context.person, agent=context.agent, location=context.location)
        switched_on = [tier for tier in memory.tiers if settings.budget(tier.tier)]
        hits = await asyncio.to_thread(search, switched_on, wanted.query)
        for problem in memory.problems:
            log.warning("session=<%s>, problem=<%s> | memory left out", context.session_id, problem)
        elsewhere = await _recalled(context, others, wanted)
        shown = [item for item in elsewhere if context.viewer.sees(context.person.id, item.learned)]
        within = [hit for hit in hits if _of_time(hit.entry, wanted, context.timezone)]
        found = [*map(_from_tier, within), *shown]
        if not found and memory.problems:
            raise ToolError(f"a part of the memory can't be read: {' '.join(memory.problems)}")
        return _result(*_best(found, wanted, arguments.limit or 0), hidden=len(elsewhere) - len(shown))

    return NativeTool("remember", Remember, run)


async def _wanted(context: ToolContext, arguments: Remember) -> Wanted:
    """Raises ToolError for a time that is not clear."""
    since, until = [
        await _period(context, name, (words or "").strip())
        for name, words in (("since", arguments.since), ("until", arguments.until))
    ]
    wanted = Wanted((arguments.query or "").strip(), since and since.start, until and until.end)
    if not wanted.query and not wanted.timed:
        raise ToolError("give words as query, a time as since and until, or both")
    if since and until and since.start >= until.end:
        raise ToolError("since is later than until")
    return wanted


async def _period(context: ToolContext, name: str, words: str) -> Period | None:
    if not words:
        return None
    period = await asyncio.to_thread(read_past, words, context.now, ZoneInfo(context.timezone))
    if isinstance(period, Unclear):
        raise ToolError(f"{name}: {period.told(words)}")
    return period


def _of_time(entry: MemoryEntry, wanted: Wanted, timezone: str) -> bool:
    """Whether the day of an entry is one of those that are asked for; what has no day is of no time."""
    if not wanted.timed:
        return True
    zone = ZoneInfo(timezone)
    since = wanted.since.astimezone(zone).date() if wanted.since else date.min
    until = (wanted.until - _MOMENT).astimezone(zone).date() if wanted.until else date.max
    return entry.day is not None and since <= entry.day <= until


async def _recalled(context: ToolContext, sources: Sequence[Recalls], wanted: Wanted) -> list[_Found]:
    """What the sources hold that shares a word with the query or is of the time, each text once."""
    words = stems(wanted.query)
    found: dict[str, _Found] = {}
    for source in (FactsOfSession(), *sources):
        if not is_open(context, source):
            continue
        for item in await source.recall(context, wanted):
            overlap = len(words & stems(item.text))
            if (overlap or not wanted.query) and _is_of(item.at, wanted):
                found.setdefault(item.text, _from_elsewhere(item, overlap, context.timezone))
    return list(found.values())


def _is_of(at: datetime | None, wanted: Wanted) -> bool:
    if not wanted.timed:
        return True
    return at is not None and (wanted.since or at) <= at and (wanted.until is None or at < wanted.until)


def _best(found: Sequence[_Found], wanted: Wanted, limit: int) -> tuple[Sequence[_Found], int]:
    """What fits best, first; of a time alone the latest, in the order of time. And how many there is no room for."""
    if wanted.query:
        # Sorting is stable: of equals, what memory holds comes first, in its own order.
        ranked = sorted(found, key=lambda item: item.rank, reverse=True)
        return ranked[: limit or BEST], 0
    timed = sorted(found, key=lambda item: item.time)[-(limit or AT_ONCE) :]
    return timed, len(found) - len(timed)


def _from_tier(hit: Hit) -> _Found:
    entry = hit.entry
    # Shared and agent tiers never hold what came from untrusted text, but other people's words.
    trust = max(entry.trust, Trust.PERSON if hit.tier is Tier.USER else Trust.MEMBER)
    day = entry.day.isoformat() if entry.day else None
    shown: JsonObject = {
        "id": entry_id(hit.tier, entry),
        "tier": hit.tier.value,
        "significance": entry.significance,
        "date": day,
        "text": entry.text,
    }
    rank = (hit.overlap, entry.significance, entry.day or date.min)
    return _Found(shown, rank, (day or "", ""), Origin(trust, "memory"), entry.learned)


def _from_elsewhere(item: Recollection, overlap: int, timezone: str) -> _Found:
    at = item.at.astimezone(ZoneInfo(timezone)) if item.at else None
    shown: JsonObject = {
        "id": item.id,
        "kind": item.kind,
        "date": f"{at:%Y-%m-%d %H:%M}" if at else None,
        "text": item.text,
    }
    time = (f"{at:%Y-%m-%d}", f"{at.timestamp():020.6f}") if at else ("", "")
    return _Found(shown, (overlap, item.weight, at.date() if at else date.min), time, item.origin, item.learned)


def search(tiers: Sequence[VisibleTier], query: str) -> list[Hit]:
    """Entries that share a word stem with the query: most shared stems first, then significance, then newest.

    All of them for an empty query.
    """
    wanted = stems(query)
    hits = [
        Hit(tier.tier, entry, overlap)
        for tier in tiers
        for entry in reversed(tier.entries)  # further down in a file is newer
        if (overlap := len(wanted & stems(entry.text))) or not query
    ]
    return sorted(hits, key=lambda hit: (hit.overlap, hit.entry.significance, hit.entry.day or date.min), reverse=True)


def _result(found: Sequence[_Found], earlier: int, *, hidden: int) -> ToolResult:
    room = min(TEXT_CHARS, RESULT_CHARS // max(1, len(found)))
    answer = [{**item.shown, "text": shortened(str(item.shown["text"]), room)} for item in found]
    if earlier:
        answer.insert(0, {"not_shown": f"{earlier} earlier; ask for a shorter time"})
    if hidden:
        answer.append({"left_out": left_out(hidden)})
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        origin=Origin(max((item.origin.trust for item in found), default=Trust.PERSON), "memory"),
        private=any(item.learned.private for item in found),
        summary=f"remembered {len(found)} {'entry' if len(found) == 1 else 'entries'}",
    )
