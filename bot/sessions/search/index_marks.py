"""Words of the message index that no text has: days, workspaces and people.

When a message was said, and days in its text, are UTC days, because an index does not know who will
ask. A question includes the day before and after, and the ranking compares exact times.

A search names the workspaces and people whose messages it may find, so it doesn't look at each
message of a large home that has its words. This only saves looking: `Filters` decides by the live
rows.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2s
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


_SAID_IN, _SAID_BY_OR_TO = "†", "‡"
"""No word of a text begins with these: the index contains letters and digits only."""


def scope_words(platform: str, workspace: str, people: Iterable[str]) -> str:
    """The index text of a message: where it was said, by whom and to whom."""
    return " ".join([_in_workspace(platform, workspace), *map(_of_person, filter(None, people))])


def within(workspaces: Iterable[tuple[str, str]], people: Iterable[str]) -> str:
    """A MATCH expression for messages of these workspaces, or by or to one of these people."""
    words = {*(_in_workspace(*one) for one in workspaces), *map(_of_person, filter(None, people))}
    quoted = [f'"{word}"' for word in sorted(words)]
    return f"({' OR '.join(quoted)})" if quoted else ""


def _in_workspace(platform: str, workspace: str) -> str:
    return _SAID_IN + _digest(f"{platform}:{workspace}")


def _of_person(person: str) -> str:
    return _SAID_BY_OR_TO + _digest(person)


def _digest(name: str) -> str:
    """A name can hold any character; a word of the index can't."""
    return blake2s(name.encode(errors="replace"), digest_size=6).hexdigest()
