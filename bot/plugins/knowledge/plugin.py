"""knowledge_search and knowledge_store: what people told, found again by words and meaning."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from bot.plugin.meaning import ALIKE, SIMILARITY, Similarity
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tables import (
    Database,
    RecallQuery,
    Recollection,
    StemmedQuery,
    Unit,
    format_utc,
    parse_utc,
)
from bot.plugin.tools import (
    IN_DM,
    JsonObject,
    Lasting,
    Makes,
    NativeConnector,
    NativeTool,
    Noun,
    Phrase,
    RecordProvenance,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolResult,
    Translations,
    Undoable,
    elsewhere,
    left_out,
    new_id,
    titled,
    within,
    worst,
)
from bot.plugins.knowledge import store
from bot.plugins.knowledge.store import KnowledgeEntry, KnowledgeMatch, KnowledgeRows, KnowledgeType

_SEARCHING = Phrase("Going through what I remember")
_STORING = Phrase("Making a note of it")

CONTENT_CHARS = 4_000
TITLE_CHARS = 80
RESULTS_MAX = 20
CANDIDATES = 100
"""The number of entries with matching words that importance ranks."""
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
IMPORTANCE_SHARE = 0.2
"""The most that importance adds to a score of 0 to 1: it only settles close calls."""


Limit = Annotated[int, Field(ge=1, le=RESULTS_MAX), WithJsonSchema({"type": "integer"})]
Importance = Annotated[float, Field(ge=0, le=1), WithJsonSchema({"type": "number"})]
"""Checked, but not declared: the schema is part of every request."""


_KNOW = Phrase("have me know from now on: {what}")


class KnowledgeSearchArguments(ToolArguments):
    """Exactly the published parameters."""

    query: str
    limit: Limit = 5


class KnowledgeStoreArguments(ToolArguments):
    """Exactly the published parameters."""

    content: str
    type: Literal["fact", "preference", "knowledge", "note"] = Field(
        description="preference: what they like, not how you behave."
    )
    importance: Importance = Field(description="0.2 passing, 0.5 useful, 0.8 lasting.")


@dataclass(frozen=True)
class _Hit:
    entry: KnowledgeEntry
    score: float


class KnowledgeConnector(NativeConnector):
    """knowledge_search and knowledge_store over the entries of one person at a time."""

    id = "knowledge"
    section = "- a fact about the person or their world: knowledge_store"

    recalled_by = "knowledge_search"

    def __init__(self, database: Database, similarity: Similarity | None = None) -> None:
        """`similarity` compares meanings, if an embedder is set."""
        self._rows, self._similarity = KnowledgeRows(database), similarity
        super().__init__(
            NativeTool(
                "knowledge_search",
                KnowledgeSearchArguments,
                self._search,
                pure=True,
                doing=_SEARCHING,
            ),
            NativeTool(
                "knowledge_store",
                KnowledgeStoreArguments,
                self._store,
                pure=True,
                makes=_makes,
                tells=_tells,
                doing=_STORING,
                deed=ToolDeed(Noun.ENTRY, "content"),
                keeps=True,
            ),
        )

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        """The person's entries that match a word or the time of the query."""
        everywhere = replace(context.viewer, place=IN_DM)
        if expression := StemmedQuery.of(wanted.query).any_word:
            seen = await self._rows.seen(everywhere, expression)
            matches = await self._rows.match(seen, expression, CANDIDATES)
            return [_recollection(match.entry) for match in matches]
        if wanted.query or not wanted.timed:
            return []
        since, until = format_utc(wanted.since or EARLIEST), format_utc(wanted.until or context.now)
        entries = await self._rows.told(await self._rows.seen(everywhere), since, until, CANDIDATES)
        return [_recollection(entry) for entry in entries]

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        entry = await self._rows.find(context.person.id, id_.removeprefix(f"{self.id}:"))
        return None if entry is None else _recollection(entry)

    def removal(self, context: ToolContext, id_: str) -> Unit:
        return self.forgetting(context.person.id, id_)

    async def kept_of(self, person: str) -> Sequence[Recollection]:
        return [_recollection(one) for one in await self._rows.owned(person)]

    def forgetting(self, person: str, id_: str) -> Unit:
        return store.delete(person, id_.removeprefix(f"{self.id}:"))

    async def _search(
        self, context: ToolContext, arguments: KnowledgeSearchArguments
    ) -> ToolResult:
        """The entries of `context.person`; private ones stay out of shared places."""
        expression = StemmedQuery.of(arguments.query).any_word
        if not expression:
            search = (
                "none: the query has no word to search for; these are the most important entries"
            )
            seen = await self._rows.seen(context.viewer)
            entries = await self._rows.important(seen, CANDIDATES)
            hits = [_Hit(entry, round(IMPORTANCE_SHARE * entry.importance, 3)) for entry in entries]
        else:
            seen = await self._rows.seen(context.viewer, expression)
            matches = await self._rows.match(seen, expression, CANDIDATES)
            search, hits = "full text", _scored(matches)
            if self._similarity is not None:
                search, hits = await self._with_meaning(
                    self._similarity, context, arguments.query, matches
                )
        return _found(context, search, hits[: arguments.limit], hidden=seen.left_out)

    async def _store(self, context: ToolContext, arguments: KnowledgeStoreArguments) -> ToolResult:
        """An entry for `context.person`; a repeat only refreshes type and importance."""
        content = within(arguments.content, "content", CONTENT_CHARS)
        if not content:
            raise ToolError("content is empty; say what is to be known")
        kind, now = KnowledgeType(arguments.type), format_utc(context.now)
        if known := await self._rows.same(context.person.id, content):
            unit = store.refresh(known, kind, arguments.importance, context.learned, now)
            answer: JsonObject = {"id": _id(known), "stored": True, "known_before": True}
            return ToolResult(json.dumps(answer), unit=unit, summary="known already, refreshed")
        entry = KnowledgeEntry(
            id=await new_id(context, self._rows.taken),
            owner=context.person.id,
            title=_title(content),
            content=content,
            type=kind,
            importance=arguments.importance,
            provenance=RecordProvenance.of(context),
            created_at=now,
        )
        summary = f"stored “{entry.title}”"
        back = Undoable("entry", "stored", entry.title, store.delete_new(entry))
        answer = {"id": _id(entry), "stored": True}
        return ToolResult(
            json.dumps(answer), unit=store.insert(entry), undo=(back,), summary=summary
        )

    async def _with_meaning(
        self,
        similarity: Similarity,
        context: ToolContext,
        query: str,
        matches: Sequence[KnowledgeMatch],
    ) -> tuple[str, list[_Hit]]:
        """The compared texts, and the hits. Important entries are found by meaning alone, too."""
        known = {match.entry.id for match in matches}
        others = await self._rows.important(await self._rows.seen(context.viewer), CANDIDATES)
        candidates = [
            *matches,
            *(KnowledgeMatch(entry, 0.0) for entry in others if entry.id not in known),
        ]
        cosines = (
            await similarity.of(query, [one.entry.content for one in candidates])
            if candidates
            else []
        )
        if cosines is None:
            return "full text alone: the embedder did not answer", _scored(matches)
        alike = {
            one.entry.id: max(0.0, cosine - ALIKE) / (1 - ALIKE)
            for one, cosine in zip(candidates, cosines, strict=True)
        }
        near = [one for one in candidates if one.relevance > 0 or alike[one.entry.id] > 0]
        return "full text and meaning", _scored(near, alike)


async def _makes(_: ToolContext, arguments: KnowledgeStoreArguments) -> Sequence[Makes]:
    if arguments.type != KnowledgeType.PREFERENCE:
        return ()
    return (Makes(Lasting.INSTRUCTIONS, (arguments.content,)),)


async def _tells(_: ToolContext, arguments: KnowledgeStoreArguments) -> Translations:
    return _KNOW.filled(what=titled(arguments.content, 300))


def _recollection(entry: KnowledgeEntry) -> Recollection:
    return Recollection(
        _id(entry),
        "knowledge",
        entry.content,
        entry.provenance.origin,
        parse_utc(entry.created_at),
        weight=1 + round(4 * entry.importance),
        learned=entry.provenance.learned,
    )


def _scored(
    matches: Sequence[KnowledgeMatch], alike: Mapping[str, float] | None = None
) -> list[_Hit]:
    """Best first: relevance relative to the best match, plus bounded importance and meaning."""
    best = max((match.relevance for match in matches), default=0.0) or 1.0
    meaning = SIMILARITY if alike is not None else 0.0
    hits = [
        _Hit(
            match.entry,
            round(
                (1 - IMPORTANCE_SHARE - meaning) * match.relevance / best
                + IMPORTANCE_SHARE * match.entry.importance
                + meaning * (alike or {}).get(match.entry.id, 0.0),
                3,
            ),
        )
        for match in matches
    ]
    return sorted(hits, key=lambda hit: -hit.score)


def _found(context: ToolContext, search: str, hits: Sequence[_Hit], *, hidden: int) -> ToolResult:
    answer: JsonObject = {"search": search, "results": [_shown(hit) for hit in hits]}
    if not hits:
        more = elsewhere(context, remember="all else that is known of them")
        answer["hint"] = f"no entry has one of these words{more}"
    if hidden:
        answer["left_out"] = left_out(hidden)
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        origin=worst((hit.entry.provenance for hit in hits), "tool:knowledge_search"),
        private=any(hit.entry.provenance.learned.private for hit in hits),
        summary=f"found {len(hits)}",
    )


def _id(entry: KnowledgeEntry) -> str:
    """As `remember` shows it and `forget` takes it, so that nobody has to look it up again."""
    return f"knowledge:{entry.id}"


def _shown(hit: _Hit) -> JsonObject:
    entry = hit.entry
    return {
        "id": _id(entry),
        "title": entry.title,
        "content": entry.content,
        "type": str(entry.type),
        "importance": entry.importance,
        "score": hit.score,
    }


def _title(content: str) -> str:
    line = " ".join(content.split())
    return line if len(line) <= TITLE_CHARS else f"{line[: TITLE_CHARS - 1].rstrip()}…"


class Knowledge(Plugin[NoSettings]):
    name = "knowledge"
    title = "what people told about themselves and their world"
    tables = store.TABLES

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(KnowledgeConnector(given.database, given.similarity),))
