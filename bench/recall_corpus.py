"""What a team of five languages says in three months, and questions about it whose answers are known."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

DATA = Path(__file__).with_name("recall_tongues.json")
PEOPLE = ("ann", "ben", "cy", "dee")
DAYS = 90


class Kind(StrEnum):
    """What a question asks for."""

    SINGLE = "single fact"
    SEVERAL = "several facts"
    TIME = "time"
    UPDATE = "update"
    PREFERENCE = "preference"
    NOTHING = "not answerable"


@dataclass(frozen=True)
class Line:
    number: int
    author: str
    text: str
    at: datetime


@dataclass(frozen=True)
class Question:
    kind: Kind
    language: str
    text: str
    evidence: frozenset[int]
    """Numbers of the lines that answer it; empty when none does."""


@dataclass(frozen=True)
class Tongue:
    """One language: things, and what is said and asked about each. `{t}` is a thing, `{n}` and `{m}` are numbers."""

    name: str
    when: str
    """Last week; where words for it are not read (Chinese), a day of it."""
    things: Sequence[str]
    single: Sequence[str]
    several: Sequence[str]
    time: Sequence[str]
    update: Sequence[str]
    preference: Sequence[str]
    nothing: str
    chatter: Sequence[str]


def read_tongues() -> list[Tongue]:
    """The five languages of recall_tongues.json."""
    return [Tongue(**one) for one in json.loads(DATA.read_text("utf-8"))]


class Corpus:
    """Lines in the order of time, and the questions; the same for the same seed."""

    def __init__(self, now: datetime, seed: int = 7, chatter: int = 40) -> None:
        """`chatter`: so many lines of small talk for each thing of each language."""
        self._chance = random.Random(seed)  # noqa: S311 - made-up data
        self.now = now
        self._said: list[tuple[datetime, str, str, str]] = []
        self._asked: list[tuple[Kind, str, str, tuple[str, ...]]] = []
        for tongue in read_tongues():
            for thing in tongue.things:
                self._tell(tongue, thing)
                for _ in range(chatter):
                    self._say(self._chance.choice(tongue.chatter), thing, self._chance.uniform(0, DAYS))
        ordered = sorted(self._said)
        self.lines = [Line(number, who, text, at) for number, (at, _, who, text) in enumerate(ordered, 1)]
        numbers = {mark: number for number, (_, mark, _, _) in enumerate(ordered, 1)}
        self.questions = [
            Question(kind, language, text, frozenset(numbers[mark] for mark in marks))
            for kind, language, text, marks in self._asked
        ]

    def _tell(self, tongue: Tongue, thing: str) -> None:
        day = self._chance.uniform
        code = self._say(tongue.single[0], thing, day(0, DAYS))
        self._ask(Kind.SINGLE, tongue, tongue.single[1], thing, code)
        both = [self._say(text, thing, day(0, DAYS)) for text in tongue.several[:2]]
        self._ask(Kind.SEVERAL, tongue, tongue.several[2], thing, *both)
        spent = [self._say(tongue.time[0], thing, ago) for ago in (day(3, 12), day(30, 50), day(60, 80))]
        exact = self._say(tongue.time[0], thing, 9.0)
        near = () if tongue.name == "zh" else tuple(mark for mark in spent if self._last_week(mark))
        self._ask(Kind.TIME, tongue, tongue.time[1], thing, exact, *near)
        self._say(tongue.update[0], thing, day(40, DAYS))
        newer = self._say(tongue.update[1], thing, day(0, 30))
        self._ask(Kind.UPDATE, tongue, tongue.update[2], thing, newer)
        liked = self._say(tongue.preference[0], thing, day(0, DAYS), "ann")
        self._ask(Kind.PREFERENCE, tongue, tongue.preference[1], thing, liked)
        self._ask(Kind.NOTHING, tongue, tongue.nothing, thing)

    def _last_week(self, mark: str) -> bool:
        at = next(at for at, one, _, _ in self._said if one == mark)
        monday = self.now.date() - timedelta(days=self.now.weekday() + 7)
        return monday <= at.date() < monday + timedelta(days=7)

    def _say(self, text: str, thing: str, days_ago: float, who: str = "") -> str:
        """A line, and a mark to know it by."""
        numbers = {"n": self._chance.randint(1_000, 9_999), "m": self._chance.randint(1_000, 9_999)}
        said = text.format(t=thing, p=self._chance.choice(PEOPLE).title(), **numbers)
        mark = f"{len(self._said):06d}"
        self._said.append((self.now - timedelta(days=days_ago), mark, who or self._chance.choice(PEOPLE), said))
        return mark

    def _ask(self, kind: Kind, tongue: Tongue, text: str, thing: str, *marks: str) -> None:
        self._asked.append((kind, tongue.name, text.format(t=thing, when=tongue.when), marks))
