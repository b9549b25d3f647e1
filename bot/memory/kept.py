"""The things that `remember` shows and `forget` removes, by the same ids."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from bot.domain.database import Unit
from bot.domain.memory import MemoryEntry, RecallQuery, Recalls, Recollection, Tier
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import Fact
from bot.memory.entries import format_entry

MEMORY = "memory"
FACTS = "fact"
REMEMBERED = 20_000
"""Ids that are not made again; a long list of entries needs them at each look."""


class FactsOfSession:
    """Implements `Recalls` over the session's own facts, which never leave the conversation."""

    id = FACTS
    recalled_by = ""

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        return [_recollection(fact, context) for fact in context.facts.values()]

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        fact = context.facts.get(fact_key(id_))
        return None if fact is None else _recollection(fact, context)

    def removal(self, context: ToolContext, id_: str) -> Unit:
        """Facts are state of the session: the effect `FactForgotten` removes them."""
        return Unit()


def fact_key(id_: str) -> str:
    return id_.removeprefix(f"{FACTS}:")


def _recollection(fact: Fact, context: ToolContext) -> Recollection:
    return Recollection(
        f"{FACTS}:{fact.key}",
        "fact of this session",
        f"{fact.key}: {fact.value}",
        fact.origin,
        fact.at,
        learned=context.learned,
    )


def is_open(context: ToolContext, source: Recalls) -> bool:
    """Whether this person may use the tool that shows the things of a source."""
    return not source.recalled_by or bool(context.tools.describe((source.recalled_by,)))


@lru_cache(maxsize=REMEMBERED)
def entry_id(tier: Tier, entry: MemoryEntry) -> str:
    """Entries have no id in their file, so it is derived from their whole content."""
    digest = hashlib.sha256(format_entry(entry).encode("utf-8", "replace")).hexdigest()
    return f"{MEMORY}:{tier}:{digest[:10]}"


def reference(entry: MemoryEntry) -> str:
    """The words by which people refer to an entry of their own tier."""
    return entry_id(Tier.USER, entry).rpartition(":")[2]
