"""Days as words of the message index: when a message was said, and days in its text.

They are UTC days, because an index does not know who will ask. A question includes the day before
and after, and the ranking compares exact times.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.dates.mentions import find_times

MOST_DAYS = 31
"""Longer periods are not searched by their days."""
_SAID, _NAMED = "¶", "§"
"""No word of a text begins with these: the index contains letters and digits only."""
_DAY = timedelta(days=1)


def days_within(periods: Iterable[tuple[datetime, datetime]]) -> tuple[date, ...]:
    """The UTC days that periods touch, each once; none for a period that is too long."""
    found: dict[date, None] = {}
    for start, end in periods:
        first = start.astimezone(UTC).date()
        count = ((end - timedelta(microseconds=1)).astimezone(UTC).date() - first).days + 1
        if count <= MOST_DAYS + 1:  # a month in another zone touches one more day
            found.update(dict.fromkeys(first + number * _DAY for number in range(count)))
    return tuple(found)


def day_words(text: str, at: datetime) -> str:
    """The index text of a message beside its words."""
    named = find_times(text, at, ZoneInfo("UTC"))
    days = days_within((one.start, one.end) for one in named.periods) if named else ()
    return " ".join(
        [_word(_SAID, at.astimezone(UTC).date()), *(_word(_NAMED, day) for day in days)]
    )


def said_on(days: Sequence[date]) -> str:
    """A MATCH expression for messages from about that time."""
    return _any_of(_SAID, days)


def naming(days: Sequence[date]) -> str:
    """A MATCH expression for messages whose text names about that time."""
    return _any_of(_NAMED, days)


def _any_of(mark: str, days: Sequence[date]) -> str:
    near = sorted({day + shift * _DAY for day in days for shift in (-1, 0, 1)})
    quoted = [f'"{_word(mark, day)}"' for day in near]
    return f"({' OR '.join(quoted)})"


def _word(mark: str, day: date) -> str:
    return f"{mark}{day:%Y%m%d}"
