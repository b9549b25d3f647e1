"""Where a wish says when: `call Ann tomorrow at 5pm`.

The tool reads the words, in the person's own zone.
"""

import re
from collections.abc import Generator
from datetime import datetime, time
from zoneinfo import ZoneInfo

from bot.dates.phrases import read_when
from bot.dates.reading import Unclear
from bot.dates.repeats import read_repeat
from bot.dates.vocabulary import FILLER, PARTS_OF_DAY, folded
from bot.llm.offline.script import Round, ask
from bot.llm.offline.situation import CallOutcome

MOST_WORDS = 7
_INTRODUCTION = re.compile(r"^(?:(?:due|by|on|for|until|before)\s+)+", re.IGNORECASE)
_ANY_TIME = datetime(2026, 1, 1)  # noqa: DTZ001 - only whether the words mean a repetition matters
_CHOICE = re.compile(r"(\d{4}-\d\d-\d\d\S*) \(((?:[^()]|\([^()]*\))*)\)")


def split_due(text: str, now: datetime) -> tuple[str, str | None]:
    """A title and the date or time at its end, as said; a text that is only a date is all title."""
    words = list(re.finditer(r"\S+", text))
    for word in words[1:][-MOST_WORDS:]:
        phrase = text[word.start() :].strip(" ,()")
        if says_when(phrase, now):
            return text[: word.start()].strip(" ,("), _INTRODUCTION.sub("", phrase)
    return text, None


def split_repeat(text: str) -> tuple[str, str | None]:
    """A title and its repetition, said at its end (`water the plants every Monday at 9`)."""
    words = list(re.finditer(r"\S+", text))
    for word in words[1:][-MOST_WORDS:]:
        phrase = text[word.start() :].strip(" ,()")
        if read_repeat(phrase, time(), _ANY_TIME) is not None:
            return text[: word.start()].strip(" ,("), phrase
    return text, None


def split_repeat_first(text: str) -> tuple[str, str | None]:
    """Like `split_repeat`, with the repetition first (`every Monday at 9 water the plants`)."""
    words = list(re.finditer(r"\S+", text))
    for word in reversed(words[1 : MOST_WORDS + 1]):
        often = text[: word.start()].strip(" ,:")
        if read_repeat(often, time(), _ANY_TIME) is not None:
            return text[word.start() :], often
    return text, None


def says_when(phrase: str, now: datetime) -> bool:
    """Whether a text is a date or time as a whole, clear or not."""
    bare = FILLER.sub("", f"{folded(phrase)} ").strip()
    if bare in PARTS_OF_DAY and bare == folded(phrase):
        return False  # "say good morning"
    if len(bare) <= 3 and not (":" in bare or (bare != folded(phrase) and bare.isdigit())):
        return False  # "enjoy the sun", "buy 9"
    reading = read_when(phrase, now, ZoneInfo("UTC"))
    return not isinstance(reading, Unclear) or reading.named


def chosen(refusal: CallOutcome) -> Generator[Round, tuple[CallOutcome, ...], str | None]:
    """The person's choice between two readings of a date; None if the tool found fewer."""
    choices = {spoken: written for written, spoken in _CHOICE.findall(refusal.text)}
    if not refusal.is_error or len(choices) < 2:
        return None
    answer = yield from ask("Which one do you mean?", *choices)
    return choices.get(answer, answer)
