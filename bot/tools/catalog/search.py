"""Finding tools: globs over names, and a ranked text query over everything that a tool's file says.

The query is ranked by BM25 over an index of our own in memory, not by SQLite FTS5: the visible
tools differ from person to person, so the filter must sit inside the ranking, where it costs one
set lookup per hit; with FTS5 it would be a join per call, or an index per role. Weights are
computed when the catalogue changes, and rare words are scored first: in large catalogues a common
word only ranks what the rare ones found. Names and descriptions are indexed alike: weighting fields
does not help in large catalogues.

See docs/rules.md#finding-tools.
"""

import heapq
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from bot.domain.tools import ToolDefinition
from bot.tools.text.globs import MAX_PATTERN, glob_regex
from bot.tools.text.stemming import terms

GLOB_LIMIT = 50
QUERY_LIMIT = 5
FLOOR_OF_BEST = 0.4
"""A lower share of the best score means that only a side word of the query matched."""
FLOOR_OF_RAREST = 0.2
"""A lower share of a word unique to one tool means that only common words matched."""
_K1 = 1.2
_B = 0.75
_KEPT_OTHERS = 4096
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
        """Real names of the tools whose name or alias fits, in order of the label that does."""
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
    """All text that a query is matched with: names, description, parameters."""
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


class ToolIndex:
    """BM25 over a fixed sequence of tools, given as names and words, by position."""

    def __init__(self, tools: Sequence[tuple[str, Counter[str]]]) -> None:
        self._names = [name for name, _ in tools]
        counts = [words for _, words in tools]
        lengths = [counter.total() for counter in counts]
        self._mean = sum(lengths) / len(lengths) if lengths else 1.0
        found: dict[str, list[int]] = {}
        for position, counter in enumerate(counts):
            for term in counter:
                found.setdefault(term, []).append(position)
        self._frequency = {term: len(positions) for term, positions in found.items()}
        self._postings = {
            term: {at: self._weight(term, counts[at][term], lengths[at]) for at in positions}
            for term, positions in found.items()
        }
        self._best = {term: max(weights.values()) for term, weights in self._postings.items()}
        self._others: dict[int, tuple[ToolDefinition, Counter[str]]] = {}

    def _weight(self, term: str, count: int, length: int) -> float:
        seen = self._frequency.get(term, 0)
        rarity = math.log(1 + (len(self._names) - seen + 0.5) / (seen + 0.5))
        return rarity * count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * length / self._mean))

    def rank(
        self, query: str, visible: frozenset[int], limit: int
    ) -> tuple[list[tuple[float, int]], int]:
        """The best visible tools as (score, position), ties by name, and the number of matches."""
        wanted = [
            term for term in dict.fromkeys(terms(query[:MAX_PATTERN])) if term in self._postings
        ]
        wanted.sort(key=lambda term: -self._best[term])
        scores: dict[int, float] = {}
        get = scores.get
        also: set[int] = set()
        common = max(_COMMON_AT_LEAST, len(self._names) // _COMMON_SHARE)
        for term in wanted:
            weights = self._postings[term]
            if len(weights) > common and len(scores) >= limit:
                for at in scores:
                    scores[at] += weights.get(at, 0.0)
                also.update(weights)
            else:
                for at, weight in weights.items():
                    if at in visible:
                        scores[at] = get(at, 0.0) + weight
        best = heapq.nsmallest(
            limit, scores.items(), key=lambda item: (-item[1], self._names[item[0]])
        )
        matched = len(scores) + len((also & visible) - scores.keys())
        return [(score, at) for at, score in best], matched

    def floor(self, best: float) -> float:
        """The score that a tool needs to be found beside one with the score `best`."""
        tools = len(self._names)
        return max(
            FLOOR_OF_BEST * best,
            FLOOR_OF_RAREST * math.log(1 + (tools - 0.5) / 1.5) if tools else 0.0,
        )

    def score_at(self, wanted: Iterable[str], position: int) -> float:
        """The score of one tool of the index for these terms, as `rank` would give it."""
        found = dict.fromkeys(wanted)
        return sum(
            self._postings[term].get(position, 0.0) for term in found if term in self._postings
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
