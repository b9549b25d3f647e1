"""Scores memories against a question: words first, small bounded scores for all else."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log1p

from bot.dates.mentions import Mention
from bot.memory.words import LITTLE, Counted, QueryWord, asked_words, counted

AROUND = 0.2
"""Weight of a word found only around a thing: in its author, or in neighbouring text."""
IN_TIME = 0.4
THEN = 0.1
"""For a thing from the requested time that shares no word with the question."""
IMPORTANCE = 0.02
"""For each step of significance beyond the first."""
RECENCY = 0.04
SIMILARITY = 0.3
ALIKE = 0.45
"""From this cosine on, an embedder counts two texts as one topic."""
COVERS = 0.4
"""For a thing that contains every word of a question, if no better one contains any."""
_SATURATION, _LENGTH = 1.2, 0.4
_FADES_DAYS = 60.0


@dataclass(frozen=True)
class Candidate:
    """A thing in the ranking's form."""

    text: str
    at: datetime | None = None
    weight: int = 1
    around: tuple[str, ...] = ()
    share: float = 1.0
    """The weight of its own words; lower for the assistant's words."""
    similarity: float = 0.0
    """Cosine of its meaning and the question's, if there is an embedder."""
    names: Mention | None = None
    """The time that its own words name."""


@dataclass(frozen=True)
class Fit:
    """How well one thing matches; `words` is the part of its own words, 0 to about 1."""

    score: float
    words: float
    asked: frozenset[int] = frozenset()
    """The telling words of the question that its own words contain."""


def fits(
    query: str, candidates: Sequence[Candidate], now: datetime, period: Mention | None = None
) -> list[Fit]:
    """One for each candidate; the score is 0 for a thing that shares nothing with the question.

    `period`: the time that the question names. Things that are from then, or name it, come before
    those that only share words.
    """
    asked = asked_words(query)
    own = _lexical(asked, [(one.text,) for one in candidates])
    around = _lexical(asked, [one.around for one in candidates])
    return [
        _fit(one, words, beside, now, period)
        for one, words, beside in zip(candidates, own, around, strict=True)
    ]


def _fit(one: Candidate, words: Fit, beside: Fit, now: datetime, period: Mention | None) -> Fit:
    score = words.score * one.share + AROUND * beside.score
    if one.similarity >= ALIKE:
        score += SIMILARITY * (one.similarity - ALIKE) / (1 - ALIKE)
    names = period is not None and one.names is not None and one.names.overlaps(period)
    then = period is not None and one.at is not None and period.is_at(one.at)
    if score <= 0 and not names and not then:
        return Fit(0.0, 0.0)
    if names or then:
        score += IN_TIME if names or score > 0 else THEN
    score += IMPORTANCE * (one.weight - 1)
    if one.at is not None:
        age = max(0.0, (now - one.at).total_seconds() / 86_400)
        score += RECENCY * _FADES_DAYS / (_FADES_DAYS + age)
    return Fit(score, words.score, words.asked)


def covering(fitting: Sequence[tuple[float, frozenset[int]]]) -> list[int]:
    """An order of scored things in which each word of the question is covered early.

    Takes scores and words, best first. A question about two facts needs two things; without this,
    more matches of its first half come between them.
    """
    words = max(1, len(frozenset[int]().union(*(held for _, held in fitting))))
    left, order, covered = list(range(len(fitting))), list[int](), frozenset[int]()
    while left:
        best = max(
            left, key=lambda at: fitting[at][0] + COVERS * len(fitting[at][1] - covered) / words
        )
        left.remove(best)
        order.append(best)
        covered |= fitting[best][1]
    return order


def _lexical(asked: Sequence[QueryWord], texts: Sequence[Sequence[str]]) -> list[Fit]:
    """BM25 of each text, as a share of the score of a text with every rare word once."""
    documents = [[counted(part) for part in parts] for parts in texts]
    held = [_held(asked, parts) for parts in documents]
    count = len(texts)
    among = [0] * len(asked)
    for row in held:
        for at in row:
            among[at] += 1
    weights = [
        word.weight * log1p((count - many + 0.5) / (many + 0.5))
        for word, many in zip(asked, among, strict=True)
    ]
    whole = sum(weights)
    if not whole:
        return [Fit(0.0, 0.0)] * count
    lengths = [sum(part.length for part in parts) for parts in documents]
    usual = max(1.0, sum(lengths) / max(1, count))
    telling = frozenset(at for at, word in enumerate(asked) if word.weight > LITTLE)
    found: list[Fit] = []
    for row, length in zip(held, lengths, strict=True):
        long = _SATURATION * (1 - _LENGTH + _LENGTH * length / usual)
        score = (
            sum(
                weights[at] * times * (_SATURATION + 1) / (times + long)
                for at, times in row.items()
            )
            / whole
        )
        found.append(Fit(score, score, telling.intersection(row)))
    return found


def _held(asked: Sequence[QueryWord], parts: Sequence[Counted]) -> dict[int, int]:
    """The counts of the requested words in a text, without absent words."""
    found: dict[int, int] = {}
    for part in parts:
        for at, word in enumerate(asked):
            if times := word.times_in(part):
                found[at] = found.get(at, 0) + times
    return found
