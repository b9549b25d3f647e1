"""The tool `remember`: a read-only search over the memory that this request may see (seed 0, ruling 11)."""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from bot.domain.memory import MemoryEntry, Tier
from bot.domain.origins import Origin, Trust
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

    query: Filled = Field(description="Words that the memory is likely to hold, not a question.")
    limit: int = Field(default=5, ge=1, le=20)


@dataclass(frozen=True)
class Hit:
    tier: Tier
    entry: MemoryEntry
    overlap: int
    """How many of the query's stems the entry holds."""


def remember_tool(store: MemoryStore, settings: MemorySettings) -> NativeTool[Remember]:
    """Searches all entries of the visible tiers, those included that found no room in the prompt.

    A tier whose budget is 0 is switched off, here as in the prompt.
    """

    async def run(context: ToolContext, arguments: Remember) -> ToolResult:
        memory = await read_visible(store, person=context.person, agent=context.agent, private=context.private)
        switched_on = [tier for tier in memory.tiers if settings.budget(tier.tier)]
        hits = await asyncio.to_thread(search, switched_on, arguments.query)
        for problem in memory.problems:
            log.warning("session=<%s>, problem=<%s> | memory left out", context.session_id, problem)
        if not hits and memory.problems:
            raise ToolError(f"a part of the memory can't be read: {' '.join(memory.problems)}")
        return _result(context, hits[: arguments.limit])

    return NativeTool("remember", Remember, run)


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


def _result(context: ToolContext, hits: list[Hit]) -> ToolResult:
    found = [
        {
            "tier": hit.tier.value,
            "significance": hit.entry.significance,
            "date": hit.entry.day.isoformat() if hit.entry.day else None,
            "text": _shortened(hit.entry.text),
        }
        for hit in hits
    ]
    others = any(hit.tier is not Tier.USER for hit in hits)
    return ToolResult(
        json.dumps(found, ensure_ascii=False),
        # Shared and agent tiers never hold what came from untrusted text (ruling 9), but other people's words.
        origin=Origin(Trust.MEMBER, "memory") if others else Origin(Trust.PERSON, "memory"),
        private=any(hit.entry.private for hit in hits),
        summary=f"remembered {len(hits)} {'entry' if len(hits) == 1 else 'entries'}",
    )


def _shortened(text: str) -> str:
    return text if len(text) <= TEXT_CHARS else f"{text[: TEXT_CHARS - 1]}…"
