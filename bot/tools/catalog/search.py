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
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from bot.domain.tools import ToolDefinition
from bot.tools.text.globs import MAX_PATTERN, glob_regex
from bot.tools.text.stemming import terms

GLOB_LIMIT = 50
QUERY_LIMIT = 5
FLOOR_OF_BEST = 0.4
"""A lower share of the best score means that only a side word of the query matched."""
FLOOR_OF_RAREST = 0.2
"""A lower share of a word unique to one tool means that only common words matched."""
Integers: TypeAlias = "array[int]"
_K1 = 1.2
_B = 0.75
_KEPT_OTHERS = 4096
_MOST_COUNTED = 255
"""The most occurrences of a word in one tool that count; more would hardly weigh more."""
_COMMON_SHARE = 10
_COMMON_AT_LEAST = 300
"""How many tools (and more than a tenth) make a word common.

A common word ranks tools, but adds none of its own if rarer words of the query filled the places.
"""


class NameList:
    """Names and aliases of some tools, for globs: sorted, so that results need no sorting."""

    def __init__(self, tools: Iterable[ToolDefinition]) -> None:
        pairs = sorted((label, tool.name) for tool in tools for label in (tool.name, *tool.aliases))
        self._labels = [label for label, _ in pairs]
        self._owners = [owner for _, owner in pairs]
        self._text = "\n".join(self._labels).casefold()
        self._starts: list[int] = []
        start = 0
        for label in self._labels:
            self._starts.append(start)
            start += len(label) + 1

    def matching(self, pattern: str) -> list[str]:
        """Real names of the tools with a matching name or alias, in order of that name."""
        fits = glob_regex(pattern).fullmatch
        found = (self._owners[at] for at in self._candidates(pattern) if fits(self._labels[at]))
        return list(dict.fromkeys(found))

    def _candidates(self, pattern: str) -> Iterable[int]:
        """Positions of labels with the longest literal part; a scan is cheaper than matching."""
        literal = max(pattern[:MAX_PATTERN].casefold().split("*"), key=len)
        if not literal or not literal.isascii():
            return range(len(self._labels))
        found: list[int] = []
        at = self._text.find(literal)
        while at >= 0:
            position = bisect_right(self._starts, at) - 1
            found.append(position)
            following = position + 1
            at = (
                self._text.find(literal, self._starts[following])
                if following < len(self._starts)
                else -1
            )
        return found


def words_of(definition: ToolDefinition) -> Counter[str]:
    """How often each search term occurs in what a tool's file says."""
    return Counter(terms(indexed_text(definition)))


def indexed_text(definition: ToolDefinition) -> str:
    """All text that a query is compared with: names, description, parameters."""
    parts = [
        definition.name,
        *definition.aliases,
        definition.description,
        *_schema_texts(definition.parameters),
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


@dataclass(frozen=True, slots=True)
class _Postings:
    """Positions of the tools that contain a term, in ascending order, with its count."""

    tools: Integers
    counts: Integers

    def put(self, position: int, count: int) -> None:
        last = not self.tools or self.tools[-1] < position
        at = len(self.tools) if last else bisect_left(self.tools, position)
        self.tools.insert(at, position)
        self.counts.insert(at, min(count, _MOST_COUNTED))

    def pairs(self) -> Iterable[tuple[int, int]]:
        return zip(self.tools, self.counts, strict=True)

    def at(self, position: int) -> int:
        """The number of occurrences of the term in one tool."""
        at = bisect_left(self.tools, position)
        found = at < len(self.tools) and self.tools[at] == position
        return self.counts[at] if found else 0


class ToolIndex:
    """BM25 over a fixed sequence of tools, addressed by position.

    Definitions that the index `before` holds are copied from it; only the others are read. It holds
    counts, since weights would take ten times the memory.
    """

    def __init__(self, tools: Sequence[ToolDefinition], before: "ToolIndex | None" = None) -> None:
        self.tools = tuple(tools)
        self.lengths = [0] * len(tools)
        self.postings: dict[str, _Postings] = {}
        taken = set[int]() if before is None else self._take_over(before)
        for position, tool in enumerate(tools):
            if position not in taken:
                self._add(position, words_of(tool))
        self._mean = sum(self.lengths) / len(tools) if tools else 1.0
        self._norms = [self._norm(length) for length in self.lengths]
        self._best: dict[str, float] = {}
        self._others: dict[int, tuple[ToolDefinition, Counter[str]]] = {}

    def _take_over(self, before: "ToolIndex") -> set[int]:
        """Copy entries of another index for the same definitions; returns their positions here."""
        here = {id(tool): position for position, tool in enumerate(self.tools)}
        moved = {old: here[id(tool)] for old, tool in enumerate(before.tools) if id(tool) in here}
        if sorted(moved.values()) != list(moved.values()):
            return set()  # in another order: read each tool again
        for old, position in moved.items():
            self.lengths[position] = before.lengths[old]
        for term, postings in before.postings.items():
            kept = [at for at, tool in enumerate(postings.tools) if tool in moved]
            if kept:
                self.postings[term] = _Postings(
                    array("I", [moved[postings.tools[at]] for at in kept]),
                    array("B", [postings.counts[at] for at in kept]),
                )
        return set(moved.values())

    def _add(self, position: int, words: Counter[str]) -> None:
        self.lengths[position] = words.total()
        for term, count in words.items():
            postings = self.postings.get(term)
            if postings is None:
                postings = self.postings[term] = _Postings(array("I"), array("B"))
            postings.put(position, count)

    def _best_of(self, term: str) -> float:
        """The highest weight of a term of the index: rare words come first."""
        best = self._best.get(term)
        if best is None:
            postings, norms = self.postings[term], self._norms
            shares = (n / (n + norms[at]) for at, n in postings.pairs())
            best = self._best[term] = self._rarity(term) * (_K1 + 1) * max(shares)
        return best

    def _weight(self, term: str, count: int, length: int) -> float:
        return self._rarity(term) * count * (_K1 + 1) / (count + self._norm(length))

    def _rarity(self, term: str) -> float:
        postings = self.postings.get(term)
        seen = len(postings.tools) if postings is not None else 0
        return math.log(1 + (len(self.tools) - seen + 0.5) / (seen + 0.5))

    def _norm(self, length: int) -> float:
        return _K1 * (1 - _B + _B * length / self._mean)

    def rank(
        self, query: str, visible: frozenset[int], limit: int
    ) -> tuple[list[tuple[float, int]], int]:
        """The best visible tools as (score, position), ties by name, and the number of matches."""
        wanted = [
            term for term in dict.fromkeys(terms(query[:MAX_PATTERN])) if term in self.postings
        ]
        wanted.sort(key=lambda term: -self._best_of(term))
        scores: dict[int, float] = {}
        get, norms = scores.get, self._norms
        also: set[int] = set()
        common = max(_COMMON_AT_LEAST, len(self.tools) // _COMMON_SHARE)
        for term in wanted:
            postings, rarity = self.postings[term], self._rarity(term)
            if len(postings.tools) > common and len(scores) >= limit:
                counts = dict(postings.pairs())
                for at in scores.keys() & counts.keys():
                    n = counts[at]
                    scores[at] += rarity * n * (_K1 + 1) / (n + norms[at])
                also.update(counts)
            else:
                for at, n in postings.pairs():
                    if at in visible:
                        scores[at] = get(at, 0.0) + rarity * n * (_K1 + 1) / (n + norms[at])
        best = heapq.nsmallest(
            limit, scores.items(), key=lambda item: (-item[1], self.tools[item[0]].name)
        )
        matched = len(scores) + len((also & visible) - scores.keys())
        return [(score, at) for at, score in best], matched

    def floor(self, best: float) -> float:
        """The score that a tool needs to be found beside one with the score `best`."""
        tools = len(self.tools)
        return max(
            FLOOR_OF_BEST * best,
            FLOOR_OF_RAREST * math.log(1 + (tools - 0.5) / 1.5) if tools else 0.0,
        )

    def score_at(self, wanted: Iterable[str], position: int) -> float:
        """The score of one tool of the index for these terms, as `rank` would give it."""
        found = dict.fromkeys(wanted)
        return sum(
            self._weight(term, self.postings[term].at(position), self.lengths[position])
            for term in found
            if term in self.postings
        )

    def score(self, query: str, definition: ToolDefinition) -> float:
        """The score of a tool outside the index, by the index's figures; comparable with `rank`."""
        counter = self._outside(definition)
        length = counter.total()
        wanted = dict.fromkeys(terms(query[:MAX_PATTERN]))
        return sum(self._weight(term, counter[term], length) for term in wanted if counter[term])

    def _outside(self, definition: ToolDefinition) -> Counter[str]:
        """The words of a tool outside the index.

        Kept with the tool itself, so that its id stays its own.
        """
        known = self._others.get(id(definition))
        if known is None:
            if len(self._others) >= _KEPT_OTHERS:
                self._others.clear()
            known = self._others[id(definition)] = (definition, words_of(definition))
        return known[1]
