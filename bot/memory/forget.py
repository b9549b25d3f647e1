"""The tool `forget`: removes for good exactly the things with the given ids from `remember`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from bot.domain.access import Role
from bot.domain.card_words import titled
from bot.domain.characters import shortened
from bot.domain.database import Unit
from bot.domain.deeds import Done, Noun, ToolDeed
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase, Translations
from bot.domain.memory import MemoryEntry, Recalls, Tier
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import Learned, left_out
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import FactForgotten, ToolResult
from bot.errors import ToolError
from bot.memory.editing import TierOf, remove_texts
from bot.memory.kept import FACTS, MEMORY, FactsOfSession, entry_id, fact_key, is_open
from bot.memory.tiers import MemoryStore
from bot.memory.visible import is_visible, visible_tiers

AT_ONCE = 50
TEXT_CHARS = 200
STILL_HERE = (
    "This conversation still shows it: don't use it any more. A new session begins without it."
)
NOT_THEIRS = "only a MasterAdmin can remove shared memory"

Ids = Annotated[
    list[str],
    Field(min_length=1, max_length=AT_ONCE),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]


class Forget(BaseModel):
    """Arguments of `forget`."""

    model_config = ConfigDict(extra="forbid")

    ids: Ids


@dataclass
class _Forgotten:
    """The result of a call so far."""

    removed: list[tuple[str, str, Origin, Learned]] = field(
        default_factory=list[tuple[str, str, Origin, Learned]]
    )
    unit: Unit = Unit()
    not_there: list[str] = field(default_factory=list[str])
    not_theirs: list[str] = field(default_factory=list[str])
    private: int = 0


def forget_tool(store: MemoryStore, others: Sequence[Recalls] = ()) -> NativeTool[Forget]:
    """Removes the person's own things; for a MasterAdmin, also those of shared and agent memory."""
    sources = {source.id: source for source in (FactsOfSession(), *others)}

    async def run(context: ToolContext, arguments: Forget) -> ToolResult:
        done = _Forgotten()
        for id_ in dict.fromkeys(arguments.ids):
            source = sources.get(id_.partition(":")[0])
            if id_.startswith(f"{MEMORY}:"):
                await _from_memory(store, context, id_, done)
            elif source is not None and is_open(context, source):
                await _from(source, context, id_, done)
            else:
                done.not_there.append(id_)
        return _result(done)

    async def tell(context: ToolContext, arguments: Forget) -> Translations:
        """The texts, because an id tells nobody what goes."""
        texts = await _texts(store, sources, context, arguments)
        if not texts:
            raise ToolError(
                "nothing here has one of these ids; remember shows them, with their kind in front"
            )
        return Phrase("forget {what}").filled(what=", ".join(map(titled, texts)))

    async def check(context: ToolContext, arguments: Forget) -> None:
        await tell(context, arguments)

    deed = ToolDeed(Noun.ENTRY, "", Done.DELETED)
    return NativeTool("forget", Forget, run, check=check, tells=tell, deed=deed)


async def _texts(
    store: MemoryStore, sources: Mapping[str, Recalls], context: ToolContext, arguments: Forget
) -> list[str]:
    """What these ids are of, as far as it is shown here."""
    texts: list[str] = []
    for id_ in dict.fromkeys(arguments.ids):
        source = sources.get(id_.partition(":")[0])
        if id_.startswith(f"{MEMORY}:"):
            entry = await _entry(store, context, id_)
            texts += [entry[1].text] if entry and is_visible(*entry, context.viewer) else []
        elif source is not None and is_open(context, source):
            found = await source.recollection(context, id_)
            seen = found is not None and context.viewer.sees(context.person.id, found.learned)
            texts += [found.text] if found is not None and seen else []
    return texts


async def _from(source: Recalls, context: ToolContext, id_: str, done: _Forgotten) -> None:
    found = await source.recollection(context, id_)
    if found is None:
        done.not_there.append(id_)
    elif not context.viewer.sees(context.person.id, found.learned):
        done.private += 1
    else:
        done.unit += source.removal(context, id_)
        done.removed.append((id_, found.text, found.origin, found.learned))


async def _entry(
    store: MemoryStore, context: ToolContext, id_: str
) -> tuple[Tier, MemoryEntry] | None:
    named = id_.split(":")[1]
    tier = next((tier for tier in visible_tiers(context.person) if tier == named), None)
    if tier is None:
        return None
    of = {"agent": context.agent, "person_id": context.person.id}
    entries = (*await store.entries(tier, **of), *await store.archived(tier, **of))
    return next(((tier, entry) for entry in entries if entry_id(tier, entry) == id_), None)


async def _from_memory(
    store: MemoryStore, context: ToolContext, id_: str, done: _Forgotten
) -> None:
    entry = await _entry(store, context, id_)
    if entry is None:
        done.not_there.append(id_)
        return
    tier, found = entry
    if not is_visible(tier, found, context.viewer):
        done.private += 1
    elif tier is not Tier.USER and context.person.role is not Role.MASTER_ADMIN:
        done.not_theirs.append(id_)
    else:
        await _remove(store, context, tier, found)
        trust = max(found.trust, Trust.PERSON if tier is Tier.USER else Trust.MEMBER)
        done.removed.append((id_, found.text, Origin(trust, MEMORY), found.learned))


async def _remove(store: MemoryStore, context: ToolContext, tier: Tier, entry: MemoryEntry) -> None:
    """Out of the archive and the backups, too. Everything else stays as it is, byte for byte."""
    async with store.lock:
        await remove_texts(store, TierOf(tier, context.agent, context.person.id), (entry.text,))


def _result(done: _Forgotten) -> ToolResult:
    answer: JsonObject = {
        "removed": [
            {"id": id_, "text": shortened(text, TEXT_CHARS)} for id_, text, _, _ in done.removed
        ]
    }
    if done.removed:
        answer["note"] = STILL_HERE
    if done.not_there:
        answer["not_there"] = done.not_there
    if done.not_theirs:
        answer["refused"] = {"ids": done.not_theirs, "why": NOT_THEIRS}
    if done.private:
        answer["left_out"] = left_out(done.private)
    count = len(done.removed)
    keys = [fact_key(id_) for id_, *_ in done.removed if id_.startswith(f"{FACTS}:")]
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        is_error=not done.removed,
        origin=Origin(
            max((origin.trust for *_, origin, _ in done.removed), default=Trust.PERSON), MEMORY
        ),
        private=any(learned.private for *_, learned in done.removed),
        unit=done.unit,
        effects=tuple(FactForgotten(key) for key in keys),
        summary=f"forgot {count} {'entry' if count == 1 else 'entries'}",
    )
