"""Finds matching memories in the tiers and other sources, limited to those that may be shown.

Newer memories that correct older ones are found by their words.
"""

import asyncio
import logging
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from bot.dates.mentions import Mention, find_times
from bot.domain.json_types import JsonObject
from bot.domain.memory import MemoryEntry, RecallQuery, Recalls, Recollection, Tier
from bot.domain.origins import Origin, Trust
from bot.domain.places import Reach
from bot.domain.privacy import Learned
from bot.domain.tool_context import ToolContext
from bot.memory.embedding import Similarity
from bot.memory.kept import FactsOfSession, entry_id, is_open
from bot.memory.ranking import Candidate, covering, fits
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.memory.visible import VisibleTier, read_visible
from bot.memory.words import stems

_CORRECTS = re.compile(
    r"\b(?:now|no longer|not any ?more|instead(?: of)?|changed?|moved|correction|actually|as "
    r"of|from now on|new"
    r"|jetzt|nun|nicht mehr|stattdessen|statt|geändert|verschoben|korrektur|doch|ab "
    r"sofort|neue[rns]?"
    r"|maintenant|désormais|ne .{1,30} plus|au lieu|changé|déplacée?|correction|nouve(?:au|lle)"
    r"|ahora|ya no|en vez|cambi(?:ó|ado|ada)|movid[oa]|nuev[oa]"
    r"|ora|adesso|non .{1,30} "
    r"più|invece|cambiat[oa]|spostat[oa]|nuov[oa])\b|改为|改成|现在|不再|而不是|更正|换成|改到",
    re.IGNORECASE,
)
_EVER = datetime.min.replace(tzinfo=UTC)
_SHARED = 0.5
"""The least share of the older one's words that the newer one must contain."""


@dataclass(frozen=True)
class _Statement:
    """A thing that somebody said or that is stored about them.

    Only statements of one `source` correct each other.
    """

    text: str
    source: str
    at: datetime | None
    asked: frozenset[int] = frozenset()
    """The telling words of the question that it contains."""
    superseded: bool = False
    """Whether a newer one is known to count, but not which."""


def _corrected_by(statements: Sequence[_Statement]) -> dict[int, int]:
    """Maps the index of each corrected statement to that of the newest correction.

    The newer statement must have every word of the question that the older one has: a new time for
    the boiler corrects nothing about the printer.
    """
    words = [stems(one.text) for one in statements]
    says_so = [bool(_CORRECTS.search(one.text)) for one in statements]
    dated = [at for at, one in enumerate(statements) if one.at is not None and not one.superseded]
    newest_first = sorted(dated, key=lambda at: statements[at].at or _EVER, reverse=True)
    corrections = [at for at in newest_first if says_so[at]]
    found: dict[int, int] = {}
    for old, one in enumerate(statements):
        for new in newest_first if one.superseded else corrections:
            if _is_older(one, statements[new]) and _is_of_the_same(words[old], words[new]):
                found[old] = new
                break
    return found


def _is_of_the_same(older: frozenset[str], newer: frozenset[str]) -> bool:
    shared = len(older & newer)
    return shared >= 2 and shared / len(older) >= _SHARED


def _is_older(one: _Statement, newer: _Statement) -> bool:
    if (
        one.source != newer.source
        or one.at is None
        or newer.at is None
        or not one.asked <= newer.asked
    ):
        return False
    return one.at < newer.at or (one.superseded and one.at == newer.at)


log = logging.getLogger(__name__)

OWN_ANSWERS = 0.6
"""The weight of a word that the assistant itself said."""
_OUTDATED = 0.7
REORDERED = 30
"""The number of best matches reordered so that each part of a question is answered early."""
_PLACES = {Reach.DM: "direct message", Reach.PRIVATE: "private channel", Reach.PUBLIC: ""}


@dataclass(frozen=True)
class Remembered:
    """One match that may be shown."""

    id: str
    text: str
    shown: JsonObject
    """The text for the model; `text` is the whole one."""
    origin: Origin
    learned: Learned
    time: tuple[str, str]
    """The day, and the order of things on one day."""
    score: float = 0.0
    words: float = 0.0
    """How well its own words match, 0 to about 1."""
    entry: MemoryEntry | None = None
    """The significance of a tier's entry."""


@dataclass(frozen=True)
class Found:
    """Matches, best first (for a time alone: in no order)."""

    things: Sequence[Remembered]
    hidden: int = 0
    """The number of further matches that may not be shown here."""
    problems: Sequence[str] = ()
    words_alone: bool = False
    """Whether an embedder is set but did not answer in time."""


class Memories:
    """All memories. A tier with a budget of 0 is disabled, here as in the prompt."""

    def __init__(
        self,
        store: MemoryStore,
        settings: MemorySettings,
        others: Sequence[Recalls] = (),
        similarity: Similarity | None = None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._sources = (FactsOfSession(), *others)
        self._similarity = similarity

    async def find(
        self, context: ToolContext, wanted: RecallQuery, embedder_s: float = math.inf
    ) -> Found:
        """Things that share a word or a time with the query, and may be shown here.

        A time in the query itself ("last week") puts things from then first. Waits for the embedder
        at most `embedder_s`, or less if its settings say so. Raises StorageError.
        """
        memory = await read_visible(
            self._store,
            person=context.person,
            agent=context.agent,
            location=context.location,
            archive=True,
        )
        for problem in memory.problems:
            log.warning("session=<%s>, problem=<%s> | memory left out", context.session_id, problem)
        zone = ZoneInfo(context.timezone)
        mention = (
            None
            if wanted.timed
            else await asyncio.to_thread(find_times, wanted.query, context.now, zone)
        )
        query = mention.rest if mention else wanted.query
        about = tuple((one.start, one.end) for one in mention.periods) if mention else ()
        asked = replace(wanted, query=query, meant=self._similarity is not None, about=about)
        tiers = [one for one in memory.tiers if self._settings.budget(one.tier)]
        items = await asyncio.to_thread(_of_tiers, tiers, wanted, zone)
        told = [item for item in await self._told(context, asked) if _is_of(item.at, wanted)]
        seen = [context.viewer.sees(context.person.id, item.learned) for item in told]
        items += [_told_item(item, zone) for item, sees in zip(told, seen, strict=True) if sees]
        if mention is not None:
            items = await asyncio.to_thread(_with_times, items, zone)
        things, compared = await self._ranked(
            query or wanted.query, items, context.now, mention, embedder_s
        )
        hidden = [item for item, sees in zip(told, seen, strict=True) if not sees]
        fitting = await asyncio.to_thread(_fitting, query, hidden, context.now) if hidden else 0
        return Found(things, fitting, memory.problems, words_alone=not compared)

    async def _told(self, context: ToolContext, wanted: RecallQuery) -> list[Recollection]:
        """The sources' things, each once; of several copies, one that may be shown comes first."""
        found: list[Recollection] = []
        for source in self._sources:
            if is_open(context, source):
                found += await source.recall(context, wanted)
        found.sort(key=lambda item: not context.viewer.sees(context.person.id, item.learned))
        return list({item.text: item for item in reversed(found)}.values())[::-1]

    async def _ranked(
        self,
        query: str,
        items: "Sequence[_Item]",
        now: datetime,
        period: Mention | None,
        embedder_s: float,
    ) -> tuple[list[Remembered], bool]:
        """The result also says whether everything was compared as the settings demand."""
        if not items or not query.strip():
            return [item.thing for item in items], True
        candidates = [item.candidate for item in items]
        compared = True
        if self._similarity is not None and candidates:
            alike = await self._similarity.of(query, [one.text for one in candidates], embedder_s)
            compared = alike is not None
            if alike is not None:
                candidates = [
                    replace(one, similarity=value)
                    for one, value in zip(candidates, alike, strict=True)
                ]
        return await asyncio.to_thread(_rank, query, items, candidates, now, period), compared


@dataclass(frozen=True)
class _Item:
    thing: Remembered
    candidate: Candidate
    source: str
    """The author of these words: a person's later words correct their earlier ones."""
    superseded: bool = False


def _with_times(items: Sequence[_Item], zone: ZoneInfo) -> list[_Item]:
    return [
        replace(
            item,
            candidate=replace(
                item.candidate, names=_times_in(item.candidate.text, item.candidate.at, zone)
            ),
        )
        if item.candidate.at
        else item
        for item in items
    ]


@lru_cache(maxsize=4_096)
def _times_in(text: str, said_at: datetime, zone: ZoneInfo) -> Mention | None:
    return find_times(text, said_at, zone)


def _rank(
    query: str,
    items: Sequence[_Item],
    candidates: Sequence[Candidate],
    now: datetime,
    period: Mention | None,
) -> list[Remembered]:
    scored = [
        (item, fit)
        for item, fit in zip(items, fits(query, candidates, now, period), strict=True)
        if fit.score > 0
    ]
    newer = _corrected_by(
        [
            _Statement(item.thing.text, item.source, item.candidate.at, fit.asked, item.superseded)
            for item, fit in scored
        ]
    )
    scores = _with_corrections([fit.score for _, fit in scored], newer)
    found: list[Remembered] = []
    for at, (item, fit) in enumerate(scored):
        thing = replace(item.thing, score=scores[at], words=fit.words)
        if item.superseded or at in newer:
            by: JsonObject = {"superseded": True}
            if at in newer:
                by["newer"] = scored[newer[at]][0].thing.id
            score = scores[at] if at in newer else scores[at] * _OUTDATED
            thing = replace(thing, score=score, shown={**thing.shown, **by})
        found.append(thing)
    # Sorting is stable: of equals, memory's entries come first, in their own order.
    order = sorted(range(len(found)), key=lambda at: found[at].score, reverse=True)
    first = covering([(found[at].score, scored[at][1].asked) for at in order[:REORDERED]])
    return [found[order[at]] for at in first] + [found[at] for at in order[REORDERED:]]


def _with_corrections(scores: Sequence[float], newer: Mapping[int, int]) -> list[float]:
    """A correction scores at least as high as the thing that it corrects, and precedes it."""
    found = list(scores)
    for old, by in newer.items():
        last = by
        while last in newer:
            last = newer[last]
        found[last] = max(found[last], scores[old])
    for old, new in newer.items():
        found[old] = min(scores[old], scores[new], found[new]) * _OUTDATED
    return found


def _fitting(query: str, items: Sequence[Recollection], now: datetime) -> int:
    if not query.strip():
        return len(items)
    return sum(fit.words > 0 for fit in fits(query, [Candidate(item.text) for item in items], now))


def _of_tiers(tiers: Sequence[VisibleTier], wanted: RecallQuery, zone: ZoneInfo) -> list[_Item]:
    """An archive holds the entries of years."""
    return [
        _of_tier(tier.tier, entry, archived=archived)
        for tier in tiers
        for archived, entries in ((False, tier.entries), (True, tier.archived))
        for entry in reversed(entries)  # an entry further down in a file is newer
        if _day_is_of(entry.day, wanted, zone)
    ]


def _of_tier(tier: Tier, entry: MemoryEntry, *, archived: bool) -> _Item:
    # Shared and agent tiers never contain untrusted text, but they contain other people's words.
    trust = max(entry.trust, Trust.PERSON if tier is Tier.USER else Trust.MEMBER)
    day = entry.day.isoformat() if entry.day else None
    shown: JsonObject = {
        "id": entry_id(tier, entry),
        "tier": tier.value,
        "significance": entry.significance,
        "date": day,
    }
    if archived:
        shown["archived"] = True
    if where := _PLACES[entry.learned.reach]:
        shown["where"] = where
    shown["text"] = entry.text
    thing = Remembered(
        str(shown["id"]),
        entry.text,
        shown,
        Origin(trust, "memory"),
        entry.learned,
        (day or "", ""),
        entry=entry,
    )
    at = datetime.combine(entry.day, time(12), UTC) if entry.day else None
    return _Item(
        thing,
        Candidate(entry.text, at, entry.significance),
        f"tier {tier}",
        entry.superseded is not None,
    )


def _told_item(item: Recollection, zone: ZoneInfo) -> _Item:
    at = item.at.astimezone(zone) if item.at else None
    shown: JsonObject = {
        "id": item.id,
        "kind": item.kind,
        "date": f"{at:%Y-%m-%d %H:%M}" if at else None,
    }
    if item.where:
        shown["where"] = item.where
    shown["text"] = item.text
    order = (f"{at:%Y-%m-%d}", f"{at.timestamp():020.6f}") if at else ("", "")
    thing = Remembered(item.id, item.text, shown, item.origin, item.learned, order)
    share = OWN_ANSWERS if item.by_agent else 1.0
    candidate = Candidate(item.text, item.at, item.weight, item.around, share)
    # One member's words may correct another's; text from outside corrects only itself.
    said = item.thread and not item.by_agent and not item.origin.untrusted
    return _Item(
        thing, candidate, "said" if said else f"{item.kind} {item.origin.source}", item.superseded
    )


def _is_of(at: datetime | None, wanted: RecallQuery) -> bool:
    if not wanted.timed:
        return True
    return (
        at is not None
        and (wanted.since or at) <= at
        and (wanted.until is None or at < wanted.until)
    )


def _day_is_of(day: date | None, wanted: RecallQuery, zone: ZoneInfo) -> bool:
    """Whether a day is in the requested period; a thing without a day is in none."""
    if not wanted.timed:
        return True
    since = wanted.since.astimezone(zone).date() if wanted.since else date.min
    until = (
        (wanted.until - timedelta(microseconds=1)).astimezone(zone).date()
        if wanted.until
        else date.max
    )
    return day is not None and since <= day <= until
