"""Converts repetitions in words (`every weekday at 9`) to cron expressions and back."""

import re
from datetime import time

from bot.dates.clock_times import split_time
from bot.dates.phrases import LONGEST
from bot.dates.vocabulary import WEEKDAYS, folded

_CRON_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAMES = {
    name[:3].lower(): name
    for name in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
}
_CRON_NUMBERS = dict(enumerate(("sun", *_CRON_DAYS)))
_EVERY = re.compile(
    r"^(?:on )?(?:every|each|jede[rnsm]?|chaque|tous les|toutes les|cada|todos los|ogni)(?:\s+|$)"
)
_PLURAL = re.compile(r"^(?:on )?(?P<days>(?:mon|tues|wednes|thurs|fri|satur|sun)days\b.*)$")
_ALONE = {
    "daily": "day",
    "taglich": "day",
    "weekdays": "weekday",
    "werktags": "weekday",
    "weekends": "weekend",
    "hourly": "hour",
    "stundlich": "hour",
}
_DAY = frozenset({"day", "morning", "tag", "jour", "jours", "dia", "dias", "giorno"})
_WEEKDAY = frozenset(
    {"weekday", "weekdays", "workday", "working day", "business day", "werktag", "arbeitstag"}
)
_WEEKEND = frozenset({"weekend", "weekends", "wochenende"})
_HOURS = re.compile(r"(?:(?P<count>\d{1,2}) )?(?:hours?|stunden?|heures?|horas?|ore|ora)")
_MONTHLY = re.compile(
    r"(?:month|monat|mois|mes|mese)(?: on)?(?: the| am| le| el| il)? "
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.|er)?"
    r"|(?P<day2>\d{1,2})(?:st|nd|rd|th|\.|er)?(?: day)?(?: of (?:the|each|every) month| des "
    r"monats| du mois)"
)
_AND = re.compile(r"\s*(?:,|&|\band\b|\bund\b|\bet\b|\by\b)\s*")
LAST_DAY_OF_ALL_MONTHS = 28


def read_repeat(text: str, default: time) -> str | None:
    """The cron expression (five fields) of a phrase in words; None when it can't be read.

    Nothing is guessed.

    `default` is the time of day where the phrase names none.
    """
    phrase = folded(text).strip(" .!")
    if not phrase or len(phrase) > LONGEST:
        return None
    try:
        rest, clock = split_time(phrase)
    except ValueError:
        return None
    often = _EVERY.match(rest)
    if often is not None:
        said = rest[often.end() :]
        said = said or (
            "day" if clock is not None else ""
        )  # the time is cut out of "every morning"
    elif plural := _PLURAL.match(rest):
        said = plural["days"]
    else:
        said = _ALONE.get(rest, "")
    if not said:
        return None
    at = clock.at if clock is not None else default
    if hours := _HOURS.fullmatch(said):
        return _hourly(int(hours["count"] or 1)) if clock is None else None
    days = _days(said)
    return None if days is None else f"{at.minute} {at.hour} {days}"


def spoken_repeat(cron: str) -> str | None:
    """A cron expression as words that `read_repeat` understands; None if it is too complex."""
    minute, hour, day, month, weekday = cron.lower().split()
    if month != "*" or not minute.isdigit():
        return None
    if (day, weekday) == ("*", "*") and minute == "0" and not hour.isdigit():
        count = "1" if hour == "*" else hour.removeprefix("*/")
        return (
            f"every {count} hours".replace("every 1 hours", "every hour")
            if count.isdigit()
            else None
        )
    days = _spoken_days(day, weekday)
    return f"{days} at {int(hour):02}:{int(minute):02}" if days and hour.isdigit() else None


def _spoken_days(day: str, weekday: str) -> str | None:
    if weekday == "*":
        return (
            "every day"
            if day == "*"
            else f"every month on the {_ordinal(int(day))}"
            if day.isdigit()
            else None
        )
    if day != "*":
        return None
    if weekday in {"mon-fri", "1-5"}:
        return "every weekday"
    names = [
        _NAMES.get(_CRON_NUMBERS.get(int(one), "") if one.isdigit() else one)
        for one in weekday.split(",")
    ]
    return f"every {' and '.join(name for name in names if name)}" if all(names) else None


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _hourly(count: int) -> str | None:
    """Only counts that divide a day, because others would shift after midnight."""
    if not 1 <= count < 24 or 24 % count:
        return None
    return "0 * * * *" if count == 1 else f"0 */{count} * * *"


def _days(said: str) -> str | None:
    """The fields day, month and weekday."""
    if said in _DAY:
        return "* * *"
    if said in _WEEKDAY:
        return "* * mon-fri"
    if said in _WEEKEND:
        return "* * sat,sun"
    if monthly := _MONTHLY.fullmatch(said):
        day = int(monthly["day"] or monthly["day2"])
        return f"{day} * *" if 1 <= day <= LAST_DAY_OF_ALL_MONTHS else None
    found = [_weekday(name) for name in _AND.split(said)]
    numbers = sorted({number for number in found if number is not None})
    return None if None in found else f"* * {','.join(_CRON_DAYS[number] for number in numbers)}"


def _weekday(name: str) -> int | None:
    """The weekday, 0 for Monday; also of a plural (`mondays`)."""
    return WEEKDAYS.get(name, WEEKDAYS.get(name.removesuffix("s")))
