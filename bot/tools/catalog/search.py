"""Finding tools: globs over names, and a ranked text query over a tool file's whole text.

The query is ranked by BM25 over our own index in memory, not by SQLite FTS5. The visible tools
differ from person to person, so the ranking filters them, which costs one set lookup per hit. With
FTS5 it would be a join per call, or an index per role. Rare words are scored first: in large
catalogues a common word only ranks what the rare ones found. Names and descriptions are indexed
alike, because weighting fields does not help in large catalogues.

See docs/rules.md#finding-tools.
"""

import heapq
import math
from array import array
from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeAlias, cast

from bot.domain.tools import ToolDefinition, parsed_schema
from bot.tools.catalog.phrases import PhraseBook
from bot.tools.text.patterns import MAX_PATTERN, glob_regex
from bot.tools.text.stemming import terms

GLOB_LIMIT = 50
QUERY_LIMIT = 5
Integers: TypeAlias = "array[int]"
_K1 = 1.2
_B = 0.75
_KEPT_OTHERS = 4096
_REBUILT_SHARE = 4
"""An index is built anew when more than a quarter of its tools changed."""
_NOWHERE: Integers = array("I")
_EMPTY = partial(array, "I")
_FEW_TOOLS = 100
"""In a smaller catalogue a word is judged as in one of this size: few tools say little of it."""
_COMMON_SHARE = 10
_COMMON_AT_LEAST = 300
"""How many tools (and more than a tenth) make a word common.

A common word ranks tools, but adds none of its own if rarer words of the query filled the places.
"""


class NameList:
    """Names and aliases of some tools, for globs: sorted, so that results need no sorting."""

    def __init__(self, tools: Iterable[ToolDefinition]) -> None:
        pairs = sorted((label, tool.name) for tool in tools for label in (tool.name, *tool.aliases))
        self._labels = [(label, label.casefold(), owner) for label, owner in pairs]

    def matching(self, pattern: str) -> list[str]:
        """Real names of the tools with a matching name or alias, in order of that name."""
        fits = glob_regex(pattern).fullmatch
        literal = max(pattern[:MAX_PATTERN].casefold().split("*"), key=len)
        # Most labels lack it, which is seen sooner than that they don't match.
        held = literal if literal.isascii() else ""
        found = (owner for label, folded, owner in self._labels if held in folded and fits(label))
        return list(dict.fromkeys(found))


def words_of(definition: ToolDefinition) -> list[str]:
    """The search terms in what a tool's file says, repetitions kept."""
    return terms(indexed_text(definition))


def indexed_text(definition: ToolDefinition) -> str:
    """All text that a query is compared with: names, description, parameters."""
    parts = [
        definition.name,
        *definition.aliases,
        definition.description,
        *_schema_texts(parsed_schema(definition.stored_parameters)),
    ]
    return "\n".join(parts)


def _schema_texts(schema: Mapping[str, Any]) -> Iterator[str]:
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for name, child in cast("dict[str, Any]", properties).items():
            yield name
            if isinstance(child, dict):
                found = cast("dict[str, Any]", child)
                if isinstance(text := found.get("description"), str):
                    yield text
                yield from _schema_texts(found)
    if isinstance(items := schema.get("items"), dict):
        yield from _schema_texts(cast("dict[str, Any]", items))


def _repeated(words: Iterable[str]) -> Iterator[str]:
    """Each word that stood before it, as often as it comes again."""
    seen = set[str]()
    for word in words:
        if word in seen:
            yield word
        else:
            seen.add(word)


def _remove(places: dict[str, Integers], term: str, position: int) -> None:
    if (found := places.get(term)) is not None:
        del found[bisect_left(found, position) : bisect_right(found, position)]
        if not found:
            del places[term]


class QueryFit(NamedTuple):
    """How well a tool answers a query, each from 0 to 1."""

    covered: float
    """The share of the query that the tool's text holds, rare words counted more."""
    score: float
    """The share of the highest score that the query allows."""


class ToolIndex:
    """BM25 over a fixed sequence of tools, addressed by position.

    It holds positions, since weights would take ten times the memory. With an index `before`, only
    tools are read that it lacks at their position, and what is equal is shared.
    """

    def __init__(self, tools: Sequence[ToolDefinition], before: "ToolIndex | None" = None) -> None:
        self.tools = tuple(tools)
        self.lengths = array("I", bytes(4 * len(tools)))
        self.places: dict[str, Integers] = {}
        """By term: positions of the tools that contain it, ascending."""
        self.again: dict[str, Integers] = {}
        """By term: positions of tools that contain it again, once for each further occurrence."""
        unread = range(len(tools)) if before is None else self._take_over(before)
        if len(unread) == len(self.tools):
            self._fill()
        else:
            for position in unread:
                self._add(position, words_of(self.tools[position]))
        mean = sum(self.lengths) / max(1, len(tools)) or 1.0
        self._least_norm, self._norm_per_word = _K1 * (1 - _B), _K1 * _B / mean
        self._norms = array("d", map(self._norm, self.lengths))
        self.phrases = PhraseBook({at: tool.words for at, tool in enumerate(tools) if tool.words})
        """By position."""
        self._best: dict[str, float] = {}
        self._others: dict[int, tuple[ToolDefinition, Counter[str]]] = {}

    def _take_over(self, before: "ToolIndex") -> Sequence[int]:
        """Use another index for the tools that it has; returns the positions of the others."""
        both = min(len(self.tools), len(before.tools))
        replaced = [at for at in range(both) if before.tools[at] is not self.tools[at]]
        gone = [*replaced, *range(both, len(before.tools))]
        unread = [*replaced, *range(both, len(self.tools))]
        if max(len(gone), len(unread)) * _REBUILT_SHARE > both:
            return range(len(self.tools))
        self.lengths[:both] = before.lengths[:both]
        self.places, self.again = before.places.copy(), before.again.copy()
        lost = {at: set(words_of(before.tools[at])) for at in gone}
        new = (words_of(self.tools[at]) for at in unread)
        touched = set[str]().union(*lost.values(), *new)
        for shared in (self.places, self.again):
            for term in touched & shared.keys():
                shared[term] = shared[term][:]
        for at, words in lost.items():
            for term in words:
                _remove(self.places, term, at)
                _remove(self.again, term, at)
        return unread

    def _fill(self) -> None:
        """Add all tools to an empty index: each comes behind those before it."""
        places = defaultdict[str, Integers](_EMPTY)
        again = defaultdict[str, Integers](_EMPTY)
        for position, tool in enumerate(self.tools):
            words = words_of(tool)
            self.lengths[position] = len(words)
            for term, found in zip(words, map(places.__getitem__, words), strict=True):
                if found and found[-1] == position:
                    again[term].append(position)
                else:
                    found.append(position)
        self.places, self.again = dict(places), dict(again)

    def _add(self, position: int, words: Sequence[str]) -> None:
        self.lengths[position] = len(words)
        places = self.places
        distinct = dict.fromkeys(words)
        for term in distinct:
            if (found := places.get(term)) is None:
                places[term] = array("I", (position,))
            elif found[-1] < position:
                found.append(position)
            else:
                insort(found, position)
        if len(distinct) < len(words):
            for term in _repeated(words):
                insort(self.again.setdefault(term, array("I")), position)

    def _best_of(self, term: str) -> float:
        """The highest weight of a term of the index: rare words come first."""
        best = self._best.get(term)
        if best is None:
            norms, more = self._norms, Counter(self.again.get(term, _NOWHERE))
            shares = [1 / (1 + min(map(norms.__getitem__, self.places[term])))]
            shares += ((1 + n) / (1 + n + norms[at]) for at, n in more.items())
            best = self._best[term] = self._rarity(term) * (_K1 + 1) * max(shares)
        return best

    def _weight(self, term: str, count: int, length: int) -> float:
        return self._rarity(term) * count * (_K1 + 1) / (count + self._norm(length))

    def _rarity(self, term: str, least: int = 0) -> float:
        """How much a term tells, as if there were `least` tools at least."""
        seen = len(self.places.get(term, _NOWHERE))
        return math.log(1 + (max(least, len(self.tools)) - seen + 0.5) / (seen + 0.5))

    def _norm(self, length: int) -> float:
        return self._least_norm + self._norm_per_word * length

    def rank(
        self, query: str, visible: frozenset[int], limit: int
    ) -> tuple[list[tuple[float, int]], int]:
        """The best visible tools as (score, position), ties by name, and the number of matches."""
        wanted = [term for term in dict.fromkeys(terms(query[:MAX_PATTERN])) if term in self.places]
        wanted.sort(key=lambda term: -self._best_of(term))
        scores: dict[int, float] = {}
        get, norms = scores.get, self._norms
        also: list[Integers] = []
        common = max(_COMMON_AT_LEAST, len(self.tools) // _COMMON_SHARE)
        for term in wanted:
            places, rarity = self.places[term], self._rarity(term)
            again: Iterable[int] = self.again.get(term, _NOWHERE)
            hits: Iterable[int] = filter(visible.__contains__, places)
            if len(places) > common and len(scores) >= limit:
                also.append(places)
                hits = scores.keys() & places
                again = filter(hits.__contains__, again)
            more = Counter(again).get
            for at in hits:
                n = 1 + more(at, 0)
                scores[at] = get(at, 0.0) + rarity * n * (_K1 + 1) / (n + norms[at])
        least = heapq.nlargest(limit, scores.values())[-1] if scores else 0.0
        best = [(score, at) for at, score in scores.items() if score >= least]
        best.sort(key=lambda found: (-found[0], self.tools[found[1]].name))
        others = visible.intersection(chain.from_iterable(also)).difference(scores)
        return best[:limit], len(scores) + len(others)

    def rarities(self, wanted: Sequence[str]) -> dict[str, float]:
        """How much each term of a query tells. A term that no tool has tells most.

        Whoever wants owls is not served by a tool that only knows the other words.
        """
        return {term: self._rarity(term, _FEW_TOOLS) for term in wanted}

    def fit(
        self, rarities: Mapping[str, float], score: float, found: int | ToolDefinition
    ) -> "QueryFit":
        """How well a tool with this score answers these terms."""
        whole = sum(rarities.values())
        if not whole:
            return QueryFit(0.0, 0.0)
        if isinstance(found, int):
            held = (one for term, one in rarities.items() if self._holds(term, found))
        else:
            words = self._outside(found)
            held = (one for term, one in rarities.items() if words[term])
        return QueryFit(sum(held) / whole, score / (whole * (_K1 + 1)))

    def _holds(self, term: str, position: int) -> bool:
        places = self.places.get(term, _NOWHERE)
        at = bisect_left(places, position)
        return at < len(places) and places[at] == position

    def score(self, wanted: Iterable[str], definition: ToolDefinition) -> float:
        """The score of a tool outside the index, by the index's figures; comparable with `rank`.

        `wanted` are the terms of a query, each once.
        """
        counter = self._outside(definition)
        held = [term for term in wanted if term in counter]
        if not held:
            return 0.0
        length = counter.total()
        return sum(self._weight(term, counter[term], length) for term in held)

    def _outside(self, definition: ToolDefinition) -> Counter[str]:
        """The words of a tool outside the index.

        Kept with the tool itself, so that its id stays its own.
        """
        known = self._others.get(id(definition))
        if known is None:
            if len(self._others) >= _KEPT_OTHERS:
                self._others.clear()
            known = (definition, Counter(words_of(definition)))
            self._others[id(definition)] = known
        return known[1]
