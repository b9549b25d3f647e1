"""How well remembered things fit a question: words first, small bounded scores for everything else."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log1p

from bot.dates.past import Period
from bot.memory.words import Asked, asked_words, counted

AROUND = 0.2
"""How much a word counts that stands only around a thing: who said it, and what was said before and after it."""
IN_TIME = 0.4
IMPORTANCE = 0.02
"""For each step of significance beyond the first."""
RECENCY = 0.04
SIMILARITY = 0.3
ALIKE = 0.45
"""From this cosine on, two texts are about the same thing for an embedder."""
_SATURATION, _LENGTH = 1.2, 0.4
_FADES_DAYS = 60.0


@dataclass(frozen=True)
class Candidate:
    """A thing as the ranking sees it."""

    text: str
    at: datetime | None = None
    weight: int = 1
    around: tuple[str, ...] = ()
    share: float = 1.0
    """How much its own words count; less for what the assistant said."""
    similarity: float = 0.0
    """Cosine of its meaning and the question's, where an embedder tells."""


@dataclass(frozen=True)
class Fit:
    """How well one thing fits; `words` is what its own words make of it, 0 to about 1."""

    score: float
    words: float


def fits(query: str, candidates: Sequence[Candidate], now: datetime, period: Period | None = None) -> list[Fit]:
    """One for each candidate; the score is 0 for what shares nothing with the question.

    `period`: the time that the question names. What is from then comes before what only shares words.
    """
    asked = asked_words(query)
    own = _lexical(asked, [(one.text,) for one in candidates])
    around = _lexical(asked, [one.around for one in candidates])
    return [_fit(one, words, beside, now, period) for one, words, beside in zip(candidates, own, around, strict=True)]


def _fit(one: Candidate, words: float, beside: float, now: datetime, period: Period | None) -> Fit:
    score = words * one.share + AROUND * beside
    if one.similarity >= ALIKE:
        score += SIMILARITY * (one.similarity - ALIKE) / (1 - ALIKE)
    if score <= 0:
        return Fit(0.0, 0.0)
    if period is not None and one.at is not None and period.start <= one.at < period.end:
        score += IN_TIME
    score += IMPORTANCE * (one.weight - 1)
    if one.at is not None:
        age = max(0.0, (now - one.at).total_seconds() / 86_400)
        score += RECENCY * _FADES_DAYS / (_FADES_DAYS + age)
    return Fit(score, words)


def _lexical(asked: Sequence[Asked], texts: Sequence[Sequence[str]]) -> list[float]:
    """BM25 of each text, as a share of what a text with every rare word once would have."""
    documents = [[counted(part) for part in parts] for parts in texts]
    held = [[sum(word.times_in(part) for part in parts) for word in asked] for parts in documents]
    count = len(texts)
    weights: list[float] = []
    for at, word in enumerate(asked):
        among = sum(row[at] > 0 for row in held)
        weights.append(word.weight * log1p((count - among + 0.5) / (among + 0.5)))
    whole = sum(weights)
    if not whole:
        return [0.0] * count
    lengths = [sum(part.length for part in parts) for parts in documents]
    usual = max(1.0, sum(lengths) / max(1, count))
    found: list[float] = []
    for row, length in zip(held, lengths, strict=True):
        long = _SATURATION * (1 - _LENGTH + _LENGTH * length / usual)
        score = sum(
            weight * times * (_SATURATION + 1) / (times + long)
            for weight, times in zip(weights, row, strict=True)
            if times
        )
        found.append(score / whole)
    return found
