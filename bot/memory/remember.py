"""The tool `remember`: a read-only search over all that is known of a person and may be said here."""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from bot.domain.json_types import JsonObject
from bot.domain.memory import MemoryEntry, Recalls, Recollection, Tier
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import Learned, left_out
from bot.domain.tools import NativeTool, ToolContext, ToolResult
from bot.errors import ToolError
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.memory.visible import VisibleTier, read_visible
from bot.memory.words import stems

log = logging.getLogger(__name__)

TEXT_CHARS = 1000
"""How much of one entry an answer shows."""


Filled = Annotated[str, Field(min_length=1), WithJsonSchema({"type": "string"})]
"""Checked, but not declared: the schema stands in every request."""


class Remember(BaseModel):
    """Arguments of `remember`."""

    model_config = ConfigDict(extra="forbid")

    query: Filled
    limit: int = Field(default=5, ge=1, le=20)


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
    origin: Origin
    learned: Learned


def remember_tool(store: MemoryStore, settings: MemorySettings, others: Sequence[Recalls] = ()) -> NativeTool[Remember]:
    """Searches all entries of the visible tiers, those included that found no room in the prompt, and `others`.

    A tier whose budget is 0 is switched off, here as in the prompt.
    """

    async def run(context: ToolContext, arguments: Remember) -> ToolResult:
        memory = await read_visible(store, person=context.person, agent=context.agent, location=context.location)
        switched_on = [tier for tier in memory.tiers if settings.budget(tier.tier)]
        hits = await asyncio.to_thread(search, switched_on, arguments.query)
        for problem in memory.problems:
            log.warning("session=<%s>, problem=<%s> | memory left out", context.session_id, problem)
        elsewhere = await _recalled(context, others, arguments.query)
        shown = [item for item in elsewhere if context.viewer.sees(context.person.id, item.learned)]
        # Sorting is stable: of equals, what memory holds comes first, in its own order.
        found = sorted([*map(_from_tier, hits), *shown], key=lambda item: item.rank, reverse=True)
        if not found and memory.problems:
            raise ToolError(f"a part of the memory can't be read: {' '.join(memory.problems)}")
        return _result(found[: arguments.limit], hidden=len(elsewhere) - len(shown))

    return NativeTool("remember", Remember, run)


async def _recalled(context: ToolContext, sources: Sequence[Recalls], query: str) -> list[_Found]:
    """What the sources hold that shares a word with the query, each text once."""
    wanted = stems(query)
    found: dict[str, _Found] = {}
    for source in sources:
        if source.recalled_by and not context.tools.describe((source.recalled_by,)):
            continue
        for item in await source.recall(context, query):
            if overlap := len(wanted & stems(item.text)):
                found.setdefault(item.text, _from_elsewhere(item, overlap))
    return list(found.values())


def _from_tier(hit: Hit) -> _Found:
    entry = hit.entry
    # Shared and agent tiers never hold what came from untrusted text, but other people's words.
    trust = Trust.PERSON if hit.tier is Tier.USER else Trust.MEMBER
    shown: JsonObject = {
        "tier": hit.tier.value,
        "significance": entry.significance,
        "date": entry.day.isoformat() if entry.day else None,
        "text": _shortened(entry.text),
    }
    rank = (hit.overlap, entry.significance, entry.day or date.min)
    return _Found(shown, rank, Origin(trust, "memory"), entry.learned)


def _from_elsewhere(item: Recollection, overlap: int) -> _Found:
    shown: JsonObject = {
        "kind": item.kind,
        "date": item.day.isoformat() if item.day else None,
        "text": _shortened(item.text),
    }
    return _Found(shown, (overlap, item.weight, item.day or date.min), item.origin, item.learned)


def search(tiers: Sequence[VisibleTier], query: str) -> list[Hit]:
    """Entries that share a word stem with the query: most shared stems first, then significance, then newest."""
    wanted = stems(query)
    hits = [
        Hit(tier.tier, entry, overlap)
        for tier in tiers
        for entry in reversed(tier.entries)  # further down in a file is newer
        if (overlap := len(wanted & stems(entry.text)))
    ]
    return sorted(hits, key=lambda hit: (hit.overlap, hit.entry.significance, hit.entry.day or date.min), reverse=True)


def _result(found: Sequence[_Found], *, hidden: int) -> ToolResult:
    answer = [item.shown for item in found]
    if hidden:
        answer.append({"left_out": left_out(hidden)})
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        origin=Origin(max((item.origin.trust for item in found), default=Trust.PERSON), "memory"),
        private=any(item.learned.private for item in found),
        summary=f"remembered {len(found)} {'entry' if len(found) == 1 else 'entries'}",
    )


def _shortened(text: str) -> str:
    return text if len(text) <= TEXT_CHARS else f"{text[: TEXT_CHARS - 1]}…"
