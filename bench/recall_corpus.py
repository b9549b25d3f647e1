"""Three months of a team's messages in five languages, and questions with known answers.

Two sets. The first (recall_tongues.json) is for tuning the ranking. The second
(recall_held_out.json) was written before that and is never tuned on; its lines are mixed with those
of the first.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("recall_tongues.json")
HELD_OUT = Path(__file__).with_name("recall_held_out.json")
PEOPLE = ("ann", "ben", "cy", "dee")
ASKING = "ann"
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
    outdated: frozenset[int] = frozenset()
    """Numbers of lines that answered it until a newer one corrected them."""


@dataclass(frozen=True)
class Corpus:
    """Lines in the order of time, and the questions; the same for the same seed."""

    now: datetime
    lines: Sequence[Line]
    questions: Sequence[Question]


@dataclass(frozen=True)
class Tongue:
    """One language: things, and what is said and asked about each.

    `{t}` is a thing, `{n}` and `{m}` are numbers.
    """

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


def tuning_corpus(now: datetime, seed: int = 7, chatter: int = 40) -> Corpus:
    """`chatter`: so many lines of small talk for each thing of each language."""
    talk = _Talk(now, seed)
    _tell_tongues(talk, chatter)
    return talk.corpus()


def held_out_corpus(now: datetime, seed: int = 7, chatter: int = 40) -> Corpus:
    """The held-out lines among all lines of the first set, whose questions are not asked."""
    talk = _Talk(now, seed)
    _tell_tongues(talk, chatter)
    talk.asked.clear()
    for tongue in json.loads(HELD_OUT.read_text("utf-8")):
        _tell_held_out(talk, tongue)
    return talk.corpus()


class _Talk:
    """What is said and asked so far."""

    def __init__(self, now: datetime, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - made-up data
        self.now = now
        self.said: list[tuple[datetime, str, str, str]] = []
        self.asked: list[tuple[Kind, str, str, tuple[str, ...], tuple[str, ...]]] = []

    def say(self, text: str, days_ago: float, who: str = "") -> str:
        """A line, and a mark to know it by."""
        mark = f"{len(self.said):06d}"
        self.said.append(
            (self.now - timedelta(days=days_ago), mark, who or self.chance.choice(PEOPLE), text)
        )
        return mark

    def ask(
        self, kind: Kind, language: str, text: str, *marks: str, outdated: Sequence[str] = ()
    ) -> None:
        self.asked.append((kind, language, text, marks, tuple(outdated)))

    def corpus(self) -> Corpus:
        ordered = sorted(self.said)
        lines = [
            Line(number, who, text, at) for number, (at, _, who, text) in enumerate(ordered, 1)
        ]
        numbers = {mark: number for number, (_, mark, _, _) in enumerate(ordered, 1)}
        questions = [
            Question(
                kind,
                language,
                text,
                *(frozenset(numbers[mark] for mark in marks) for marks in (answers, old)),
            )
            for kind, language, text, answers, old in self.asked
        ]
        return Corpus(self.now, lines, questions)


def _tell_tongues(talk: _Talk, chatter: int) -> None:
    for tongue in read_tongues():
        for thing in tongue.things:
            _tell(talk, tongue, thing)
            for _ in range(chatter):
                _say(talk, talk.chance.choice(tongue.chatter), thing, talk.chance.uniform(0, DAYS))


def _tell(talk: _Talk, tongue: Tongue, thing: str) -> None:
    day = talk.chance.uniform

    def ask(kind: Kind, text: str, *marks: str, outdated: Sequence[str] = ()) -> None:
        talk.ask(
            kind, tongue.name, text.format(t=thing, when=tongue.when), *marks, outdated=outdated
        )

    ask(Kind.SINGLE, tongue.single[1], _say(talk, tongue.single[0], thing, day(0, DAYS)))
    ask(
        Kind.SEVERAL,
        tongue.several[2],
        *[_say(talk, text, thing, day(0, DAYS)) for text in tongue.several[:2]],
    )
    spent = [
        _say(talk, tongue.time[0], thing, ago) for ago in (day(3, 12), day(30, 50), day(60, 80))
    ]
    exact = _say(talk, tongue.time[0], thing, 9.0)
    near = () if tongue.name == "zh" else tuple(mark for mark in spent if _is_last_week(talk, mark))
    ask(Kind.TIME, tongue.time[1], exact, *near)
    older = _say(talk, tongue.update[0], thing, day(40, DAYS))
    newer = _say(talk, tongue.update[1], thing, day(0, 30))
    ask(Kind.UPDATE, tongue.update[2], newer, outdated=[older])
    ask(
        Kind.PREFERENCE,
        tongue.preference[1],
        _say(talk, tongue.preference[0], thing, day(0, DAYS), ASKING),
    )
    ask(Kind.NOTHING, tongue.nothing)


def _say(talk: _Talk, text: str, thing: str, days_ago: float, who: str = "") -> str:
    numbers = {"n": talk.chance.randint(1_000, 9_999), "m": talk.chance.randint(1_000, 9_999)}
    return talk.say(
        text.format(t=thing, p=talk.chance.choice(PEOPLE).title(), **numbers), days_ago, who
    )


def _is_last_week(talk: _Talk, mark: str) -> bool:
    at = next(at for at, one, _, _ in talk.said if one == mark)
    monday = talk.now.date() - timedelta(days=talk.now.weekday() + 7)
    return monday <= at.date() < monday + timedelta(days=7)


def _tell_held_out(talk: _Talk, tongue: Mapping[str, Any]) -> None:
    """Each entry's last text is the question; the one before shares words without an answer."""
    name, day = str(tongue["name"]), talk.chance.uniform
    for kind in (Kind.SINGLE, Kind.SEVERAL, Kind.PREFERENCE):
        for *answers, near, question in tongue[kind.name.casefold()]:
            who = ASKING if kind is Kind.PREFERENCE else ""
            marks = [talk.say(text, day(0, DAYS), who) for text in answers]
            talk.say(near, day(0, DAYS))
            talk.ask(kind, name, question, *marks)
    for (ago, text), (before, other), question in tongue["time"]:
        talk.ask(Kind.TIME, name, question, talk.say(text, ago))
        talk.say(other, before)
    for old, new, near, question in tongue["update"]:
        older, newer = talk.say(old, day(40, DAYS)), talk.say(new, day(0, 30))
        talk.say(near, day(0, DAYS))
        talk.ask(Kind.UPDATE, name, question, newer, outdated=[older])
    for near, question in tongue["nothing"]:
        talk.say(near, day(0, DAYS))
        talk.ask(Kind.NOTHING, name, question)
