"""find_times: a time that is named somewhere in a sentence, such as `what did I say last week about tea`."""

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.dates.chinese import find_chinese
from bot.dates.coming import read_coming
from bot.dates.past import Period, days_from, read_past
from bot.dates.vocabulary import NAMED_DAYS, UNITS, WEEKDAYS, folded

LONGEST_TEXT = 1_000
_MOST_WORDS = 5
_WORD = re.compile(r"[^\s,;:!?()\"“”„]+")
_NAMED_TEXT = """
    today yesterday morning evening heute gestern vorgestern abend aujourd'hui hier avant-hier hoy
    ayer anteayer oggi ieri weekend wochenende january february march april june july august
    september october november december januar februar marz juni juli oktober dezember janvier
    fevrier avril juin juillet aout septembre octobre novembre decembre enero febrero abril junio
    julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio
    settembre ottobre dicembre
"""
_COMING = frozenset(name for name, days in NAMED_DAYS.items() if days and " " not in name)
_NAMED = frozenset(_NAMED_TEXT.split()) | _COMING | {name for name in WEEKDAYS if len(name) > 4}  # fmt: skip
_UNITS = frozenset(name for name in UNITS if len(name) > 2)


@dataclass(frozen=True)
class Mention:
    """What a text names, and the text without the words for it."""

    periods: tuple[Period, ...]
    """`3 November` is the last one and the next one: which, only its reader knows."""
    rest: str

    def is_at(self, at: datetime) -> bool:
        return any(one.start <= at < one.end for one in self.periods)

    def overlaps(self, other: "Mention") -> bool:
        return any(one.start < two.end and two.start < one.end for one in self.periods for two in other.periods)


def find_times(text: str, now: datetime, zone: ZoneInfo) -> Mention | None:
    """The first time that a text clearly names, over or to come, in the longest words for it; None when it names none.

    `now`: when the text was said.
    """
    text = text[:LONGEST_TEXT]
    if (chinese := find_chinese(text, now.astimezone(zone).date())) is not None:
        days, (begin, end) = chinese
        periods = tuple(days_from(first, count, zone) for first, count in days)
        return Mention(periods, f"{text[:begin]} {text[end:]}".strip())
    words = list(_WORD.finditer(text))
    telling = [_tells(word[0]) for word in words]
    if not any(telling):
        return None
    for length in range(min(_MOST_WORDS, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            if not any(telling[at : at + length]):
                continue
            begin, end = words[at].start(), words[at + length - 1].end()
            if periods := _periods(text[begin:end].rstrip("."), now, zone):
                return Mention(periods, f"{text[:begin]} {text[end:]}".strip())
    return None


def _periods(phrase: str, now: datetime, zone: ZoneInfo) -> tuple[Period, ...]:
    past, coming = read_past(phrase, now, zone), read_coming(phrase, now, zone)
    return tuple(dict.fromkeys(one for one in (past, coming) if isinstance(one, Period)))


def _tells(word: str) -> bool:
    """Whether a phrase for a time can hold this word and nothing more telling."""
    plain = folded(word.rstrip("."))
    return plain in _NAMED or plain in _UNITS or bool(re.fullmatch(r"(?:19|20)\d\d(?:-\d\d-\d\d)?", plain))
