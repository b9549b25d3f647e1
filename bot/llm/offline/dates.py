"""Due dates as people say them: `tomorrow`, `by friday`, `in 3 days`, `on 5 December at 17:00`."""

import re
from collections.abc import Generator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from bot.llm.offline.script import Round, attempt
from bot.llm.offline.situation import Outcome

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = "|".join(_DAYS)
_DAY = (
    rf"(?P<iso>\d{{4}}-\d\d-\d\d)"
    rf"|(?P<word>today|tonight|tomorrow|the day after tomorrow|next week|{_WEEKDAY})|next (?P<next>{_WEEKDAY})"
    rf"|in (?P<count>\d+|an?|two|three|four|five) (?P<unit>day|week)s?"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})"
    rf"|(?P<month2>{_MONTH}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?"
)
_TIME = r"(?:\s*(?:at|T|,)\s*(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?P<half>am|pm)?)?"
_DUE = re.compile(rf"[\s,(]*(?:(?:due|by|on|for|until|before)\s+)*\b(?:{_DAY}){_TIME}\)?\s*$", re.IGNORECASE)
_NUMBERS = {"a": 1, "an": 1, "two": 2, "three": 3, "four": 4, "five": 5}


@dataclass(frozen=True)
class Phrase:
    """A due date that was said; `resolve` needs to know today for most of them."""

    match: re.Match[str]

    @property
    def text(self) -> str:
        return self.match.group().strip(" ,()")

    def resolve(self, today: date) -> str | None:
        """`2026-11-28`, or `2026-11-28T17:00`; None for a day that doesn't exist."""
        day = _day(self.match, today)
        if day is None or not (hour := self.match["hour"]):
            return day.isoformat() if day else None
        hours = int(hour) % 12 + 12 if (self.match["half"] or "").lower() == "pm" else int(hour)
        minutes = int(self.match["minute"] or 0)
        return f"{day.isoformat()}T{hours:02}:{minutes:02}" if hours < 24 and minutes < 60 else day.isoformat()


def split_due(text: str) -> tuple[str, Phrase | None]:
    """A title and the due date at its end; a text that is nothing but a date is all title."""
    found = _DUE.search(text)
    if found is None or not text[: found.start()].strip():
        return text, None
    return text[: found.start()].strip(" ,"), Phrase(found)


def due_of(text: str) -> Phrase | None:
    """A text that is a due date as a whole."""
    found = _DUE.search(text)
    return Phrase(found) if found and not text[: found.start()].strip() else None


def resolved(phrase: Phrase | None, fallback: datetime) -> Generator[Round, tuple[Outcome, ...], str | None]:
    """The due date of a phrase, by the person's own calendar; `fallback` where no tool tells the day."""
    if phrase is None:
        return None
    if phrase.match["iso"]:
        return phrase.resolve(fallback.date())
    outcome = yield from attempt("current_time")
    try:
        today = datetime.fromisoformat(str(outcome.object.get("local"))).date()
    except ValueError:
        today = fallback.date()
    return phrase.resolve(today)


def _day(match: re.Match[str], today: date) -> date | None:
    if match["iso"]:
        return _exact(match["iso"])
    if match["word"]:
        return _named(match["word"].lower(), today)
    if match["next"]:
        return today + timedelta(days=(_DAYS.index(match["next"].lower()) - today.weekday() - 1) % 7 + 1)
    if match["count"]:
        count = match["count"].lower()
        number = _NUMBERS.get(count) or int(count)
        return today + timedelta(days=min(number, 3650) * (7 if match["unit"].lower() == "week" else 1))
    month = _MONTHS.index((match["month"] or match["month2"])[:3].lower()) + 1
    day = int(match["day"] or match["day2"])
    this_year = _exact(f"{today.year}-{month:02}-{day:02}")
    return this_year if this_year and this_year >= today else _exact(f"{today.year + 1}-{month:02}-{day:02}")


def _named(word: str, today: date) -> date:
    fixed = {"today": 0, "tonight": 0, "tomorrow": 1, "the day after tomorrow": 2, "next week": 7}
    days = fixed[word] if word in fixed else (_DAYS.index(word) - today.weekday() - 1) % 7 + 1
    return today + timedelta(days=days)


def _exact(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
