"""find_past: a time that is over, named somewhere in a sentence, such as `what did I say last week about tea`."""

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.dates.past import Period, read_past
from bot.dates.vocabulary import UNITS, WEEKDAYS, folded

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
_NAMED = frozenset(_NAMED_TEXT.split()) | {name for name in WEEKDAYS if len(name) > 4}  # fmt: skip
_UNITS = frozenset(name for name in UNITS if len(name) > 2)


@dataclass(frozen=True)
class Mention:
    """A period that a text names, and the text without the words for it."""

    period: Period
    rest: str


def find_past(text: str, now: datetime, zone: ZoneInfo) -> Mention | None:
    """The first time that a text clearly names, in the longest words for it; None when it names none."""
    words = list(_WORD.finditer(text[:LONGEST_TEXT]))
    telling = [_tells(word[0]) for word in words]
    if not any(telling):
        return None
    for length in range(min(_MOST_WORDS, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            if not any(telling[at : at + length]):
                continue
            begin, end = words[at].start(), words[at + length - 1].end()
            period = read_past(text[begin:end].rstrip("."), now, zone)
            if isinstance(period, Period):
                return Mention(period, f"{text[:begin]} {text[end:]}".strip())
    return None


def _tells(word: str) -> bool:
    """Whether a phrase for a time can hold this word and nothing more telling."""
    plain = folded(word.rstrip("."))
    return plain in _NAMED or plain in _UNITS or bool(re.fullmatch(r"(?:19|20)\d\d(?:-\d\d-\d\d)?", plain))
