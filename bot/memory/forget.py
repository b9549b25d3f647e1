"""The tool `forget`: removes for good exactly the things with the given ids from `remember`."""

import json
from collections import defaultdict
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
from bot.domain.memory import MemoryEntry, Recalls, Recollection, Tier
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import Viewer, left_out
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


@dataclass(frozen=True)
class _Thing:
    """What an id names, and where it is kept: in a tier, or by a source."""

    found: Recollection
    visible: bool
    kept: Tier | Recalls


@dataclass
class _Forgotten:
    """The result of a call so far."""

    removed: list[Recollection] = field(default_factory=list[Recollection])
    unit: Unit = Unit()
    texts: defaultdict[Tier, list[str]] = field(default_factory=lambda: defaultdict(list))
    """What leaves the files of each tier."""
    not_there: list[str] = field(default_factory=list[str])
    not_theirs: list[str] = field(default_factory=list[str])
    private: int = 0


def forget_tool(store: MemoryStore, others: Sequence[Recalls] = ()) -> NativeTool[Forget]:
    """Removes the person's own things; for a MasterAdmin, also those of shared and agent memory."""
    sources = {source.id: source for source in (FactsOfSession(), *others)}

    async def things(context: ToolContext, arguments: Forget) -> dict[str, _Thing]:
        """By id, in the order of the call."""
        of_tiers = await _of_tiers(store, context, arguments.ids)
        found = {
            id_: of_tiers.get(id_) or await _of_sources(sources, context, id_)
            for id_ in arguments.ids
        }
        return {id_: thing for id_, thing in found.items() if thing is not None}

    async def run(context: ToolContext, arguments: Forget) -> ToolResult:
        done = _sorted(context, arguments, await things(context, arguments))
        async with store.lock:  # out of archive and backups, too; all else stays, byte for byte
            for tier, gone in done.texts.items():
                await remove_texts(store, TierOf(tier, context.agent, context.person.id), gone)
        return _result(done)

    async def tell(context: ToolContext, arguments: Forget) -> Translations:
        """The texts, because an id tells nobody what goes."""
        known = await things(context, arguments)
        texts = [thing.found.text for thing in known.values() if thing.visible]
        if not texts:
            raise ToolError(
                "nothing here has one of these ids; remember shows them, with their kind in front"
            )
        return Phrase("forget {what}").filled(what=", ".join(map(titled, texts)))

    async def check(context: ToolContext, arguments: Forget) -> None:
        await tell(context, arguments)

    deed = ToolDeed(Noun.ENTRY, "", Done.DELETED)
    return NativeTool("forget", Forget, run, check=check, tells=tell, deed=deed)


def _sorted(context: ToolContext, arguments: Forget, known: Mapping[str, _Thing]) -> _Forgotten:
    """What goes, and what stays for which reason."""
    done = _Forgotten(not_there=[one for one in dict.fromkeys(arguments.ids) if one not in known])
    for id_, thing in known.items():
        if not thing.visible:
            done.private += 1
        elif not isinstance(thing.kept, Tier):
            done.removed.append(thing.found)
            done.unit += thing.kept.removal(context, id_)
        elif thing.kept is Tier.USER or context.person.role is Role.MASTER_ADMIN:
            done.removed.append(thing.found)
            done.texts[thing.kept].append(thing.found.text)
        else:
            done.not_theirs.append(id_)
    return done


async def _of_sources(
    sources: Mapping[str, Recalls], context: ToolContext, id_: str
) -> _Thing | None:
    source = sources.get(id_.partition(":")[0])
    if source is None or not is_open(context, source):
        return None
    found = await source.recollection(context, id_)
    if found is None:
        return None
    return _Thing(found, context.viewer.sees(context.person.id, found.learned), source)


async def _of_tiers(
    store: MemoryStore, context: ToolContext, ids: Sequence[str]
) -> dict[str, _Thing]:
    """Those of these ids that are of memory."""
    of = {"agent": context.agent, "person_id": context.person.id}
    found: dict[str, _Thing] = {}
    for tier in visible_tiers(context.person):
        if any(id_.startswith(f"{MEMORY}:{tier}:") for id_ in ids):
            for entry in (*await store.entries(tier, **of), *await store.archived(tier, **of)):
                if (id_ := entry_id(tier, entry)) in ids:
                    found[id_] = _of_tier(tier, entry, id_, context.viewer)
    return found


def _of_tier(tier: Tier, entry: MemoryEntry, id_: str, viewer: Viewer) -> _Thing:
    trust = max(entry.trust, Trust.PERSON if tier is Tier.USER else Trust.MEMBER)
    found = Recollection(id_, tier, entry.text, Origin(trust, MEMORY), learned=entry.learned)
    return _Thing(found, is_visible(tier, entry, viewer), tier)


def _result(done: _Forgotten) -> ToolResult:
    answer: JsonObject = {
        "removed": [{"id": one.id, "text": shortened(one.text, TEXT_CHARS)} for one in done.removed]
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
    keys = [fact_key(one.id) for one in done.removed if one.id.startswith(f"{FACTS}:")]
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        is_error=not done.removed,
        origin=Origin(
            max((one.origin.trust for one in done.removed), default=Trust.PERSON), MEMORY
        ),
        private=any(one.learned.private for one in done.removed),
        unit=done.unit,
        effects=tuple(FactForgotten(key) for key in keys),
        summary=f"forgot {count} {'entry' if count == 1 else 'entries'}",
    )
