"""Month names and whole phrases that the library for dates reads."""

from collections.abc import Sequence
from datetime import date, datetime, time
from functools import lru_cache

from bot.dates.vocabulary import LANGUAGES, NUMBERS, UNITS, WEEKDAYS


@lru_cache(maxsize=512)
def month_number(name: str) -> int | None:
    """The number of a month from its name in one of the five languages, short ones included."""
    if name in NUMBERS or name in UNITS or name in WEEKDAYS:
        return None
    found = library_day(f"1 {name} 2000", LANGUAGES, date(2000, 1, 1))
    return found.month if found is not None and (found.year, found.day) == (2000, 1) else None


def library_day(phrase: str, languages: Sequence[str], today: date) -> date | None:
    """Ask the library, which guesses missing parts: so day and month are required, and no time."""
    from dateparser.date import DateDataParser  # noqa: PLC0415 - 15 MB that most phrases don't need

    settings: dict[str, object] = {
        "RELATIVE_BASE": datetime.combine(today, time()),
        "PREFER_DATES_FROM": "future",
        "REQUIRE_PARTS": ["day", "month"],
    }
    found = DateDataParser(languages=list(languages), settings=settings).get_date_data(phrase)
    moment = found.date_obj
    if moment is None or found.period != "day" or moment.time() != time():
        return None
    return moment.date()
