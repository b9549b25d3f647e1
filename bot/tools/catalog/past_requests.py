"""Learning from use: requests that a tool served add a small bounded score to its match.

Nobody sees these words again: they are stored as a set of stems, without digits and known secrets,
and only rank. Each person learns for themself, because a hit would tell others what was asked. A
request from a private place counts where its person may see what was learned there
(docs/decisions.md, "Past requests rank tools").
"""

import logging
import math
from collections import OrderedDict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.domain.database import Database
from bot.domain.places import Reach
from bot.domain.privacy import PUBLICLY, Learned, Viewer
from bot.errors import StorageError
from bot.log import redact
from bot.tools.catalog.past_requests_store import (
    PER_PERSON,
    PER_TOOL,
    Lesson,
    forget_unit,
    read_lessons,
)
from bot.tools.text.stemming import terms

log = logging.getLogger(__name__)

MAX_WORDS = 40
MAX_WORD_CHARS = 24
MAX_TEXT_CHARS = 2_000
MEMORIES = 32
"""The most people whose requests are indexed at a time: an index takes ten times the words."""
PRUNED_EVERY = 16
"""One in so many lessons of a person deletes their rows beyond the limits."""
_FEW_REQUESTS = 50
"""Fewer say little of how rare a word is, so that it is judged as among so many."""
_COMMON = 200
"""A word in more past requests than this only ranks the results of rarer words."""

_Whose: TypeAlias = tuple[str, Learned]
"""A person, and the place of their request."""
_Request: TypeAlias = tuple[str, str]
"""A tool, and the words of a request that it served."""


def normalised(text: str) -> frozenset[str]:
    """A request as stored: at most 40 stems, without numbers, names of keys and secrets."""
    found: dict[str, None] = {}
    for term in terms(redact(text[:MAX_TEXT_CHARS])):
        if len(term) <= MAX_WORD_CHARS and not any(letter.isdigit() for letter in term):
            found[term] = None
    return frozenset(list(found)[:MAX_WORDS])


@dataclass
class _Memory:
    """The past requests of one person, by word."""

    by_tool: dict[str, deque[int]] = field(default_factory=dict[str, deque[int]])
    requests: dict[int, tuple[str, frozenset[str]]] = field(
        default_factory=dict[int, tuple[str, frozenset[str]]]
    )
    by_word: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    _next: int = 0

    def add(self, tool: str, words: frozenset[str]) -> None:
        kept = self.by_tool.setdefault(tool, deque())
        for known in [number for number in kept if self.requests[number][1] == words]:
            self._drop(tool, known)
        while len(kept) >= PER_TOOL:
            self._drop(tool, kept[0])
        number, self._next = self._next, self._next + 1
        kept.append(number)
        self.requests[number] = (tool, words)
        for word in words:
            self.by_word.setdefault(word, set()).add(number)

    def _drop(self, tool: str, number: int) -> None:
        self.by_tool[tool].remove(number)
        _, words = self.requests.pop(number)
        for word in words:
            self.by_word[word].discard(number)
            if not self.by_word[word]:
                del self.by_word[word]

    def scores(self, query: Iterable[str]) -> dict[str, float]:
        """How much of the query's weight each tool's most similar past request covers, 0 to 1."""
        known = sorted(
            (word for word in dict.fromkeys(query)),
            key=lambda word: len(self.by_word.get(word, ())),
        )
        whole = sum(self._rarity(word) for word in known)
        covered: dict[int, float] = {}
        for word in known:
            numbers = self.by_word.get(word, set())
            common = len(numbers) > _COMMON and bool(covered)
            weight = self._rarity(word)
            for number in covered.keys() & numbers if common else numbers:
                covered[number] = covered.get(number, 0.0) + weight
        best: dict[str, float] = {}
        for number, weight in covered.items():
            tool = self.requests[number][0]
            best[tool] = max(best.get(tool, 0.0), weight / whole)
        return best

    def _rarity(self, word: str) -> float:
        seen = len(self.by_word.get(word, ()))
        known = max(_FEW_REQUESTS, len(self.requests))
        return math.log(1 + (known - seen + 0.5) / (seen + 0.5))


class PastRequests:
    """Lessons from people's requests: stored in the database, and held in memory for searches."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: dict[_Whose, dict[_Request, None]] = {}
        """Each person's requests, newest last: short texts, because there may be many people."""
        self._places: dict[str, dict[Learned, None]] = {}
        """The places where each person asked."""
        self.pruned: dict[str, int] = {}
        """How many lessons people had since their rows beyond the limits were deleted.

        The next lesson of somebody who is not in here deletes them.
        """
        self._memories: OrderedDict[_Whose, _Memory] = OrderedDict()
        """Indexes of recent askers; those of others are rebuilt when they search."""

    async def load(self) -> None:
        """Read the stored lessons, once, at the start."""
        try:
            known = await read_lessons(self._database)
        except StorageError:
            log.exception("the record of past requests can't be read; searches go without it")
            return
        for lesson in known:
            self.learn(lesson)
        self.pruned.clear()

    def scores(self, viewer: Viewer, query: Sequence[str]) -> Mapping[str, float]:
        """By tool, 0 to 1: the share of a query that one of this person's past requests covers."""
        best: dict[str, float] = {}
        person = viewer.person
        for learned in [
            place for place in self._places.get(person, ()) if viewer.sees(person, place)
        ]:
            memory = self._memory((person, learned))
            for tool, score in memory.scores(query).items() if memory is not None else ():
                best[tool] = max(best.get(tool, 0.0), score)
        return best

    def learn(self, lesson: Lesson) -> None:
        """Search with a lesson from now on; call it once its unit is committed."""
        public = lesson.learned.reach is Reach.PUBLIC
        whose = (lesson.person, PUBLICLY if public else lesson.learned)
        memory = self._memories.get(whose)
        if lesson.tools:
            self._places.setdefault(whose[0], {})[whose[1]] = None
            since = self.pruned.pop(lesson.person, 0) + 1
            if since < PRUNED_EVERY:
                self.pruned[lesson.person] = since
        for tool in lesson.tools:
            for words in lesson.requests:
                self._keep(self._kept.setdefault(whose, {}), tool, words)
                if memory is not None:
                    memory.add(tool, words)

    async def holding(self, persons: Collection[str]) -> Collection[str]:
        """Those of these people who have lessons."""
        return self._places.keys() & set(persons)

    async def move(self, earlier: str, person: str) -> None:
        """Use one person id's lessons for another from now on; the rows move with all others."""
        self.pruned.pop(person, None)
        for learned in self._places.pop(earlier, {}):
            older = self._kept.pop((earlier, learned), {})
            self._memories.pop((earlier, learned), None)
            self._memories.pop((person, learned), None)
            self._places.setdefault(person, {})[learned] = None
            own = self._kept.pop((person, learned), {})
            merged = self._kept[person, learned] = dict[_Request, None]()
            for tool, words in (*(request for request in older if request not in own), *own):
                self._keep(merged, tool, frozenset(words.split()))

    def _keep(self, kept: dict[_Request, None], tool: str, words: frozenset[str]) -> None:
        request = (tool, " ".join(sorted(words)))
        kept.pop(request, None)
        kept[request] = None
        of_tool = [one for one in kept if one[0] == tool]
        for old in of_tool[:-PER_TOOL] or list(kept)[:-PER_PERSON]:
            del kept[old]

    def _memory(self, whose: _Whose) -> _Memory | None:
        """The requests of a person by word; None when they have none."""
        kept = self._kept.get(whose)
        if not kept:
            return None
        memory = self._memories.get(whose)
        if memory is None:
            memory = self._memories[whose] = _Memory()
            for tool, words in kept:
                memory.add(tool, frozenset(words.split()))
            if len(self._memories) > MEMORIES:
                self._memories.popitem(last=False)
        self._memories.move_to_end(whose)
        return memory

    def unlearn(self, person: str, requests: Collection[frozenset[str]]) -> None:
        """Search without these requests of a person; call it once `unlearn_unit` is committed."""
        gone = {" ".join(sorted(request)) for request in requests}
        for learned in self._places.get(person, ()):
            kept = self._kept.get((person, learned), {})
            for request in [one for one in kept if one[1] in gone]:
                del kept[request]
            self._memories.pop((person, learned), None)

    async def forget(self, tools: Collection[str]) -> None:
        """Forget tools that are gone, so that a later one of the same name begins anew."""
        for kept in self._kept.values():
            for request in [one for one in kept if one[0] in tools]:
                del kept[request]
        self._memories.clear()
        try:
            await self._database.write(forget_unit(tools))
        except StorageError:
            log.exception("tools=<%d> | what they were used for can't be forgotten", len(tools))
