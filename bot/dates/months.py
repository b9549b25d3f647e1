"""Days that a phrase counts in a month: `first monday in december`, `mid december`, `eom`."""

import calendar
import re
from datetime import date, timedelta

from bot.dates.library import month_number
from bot.dates.reading import Day, Unclear
from bot.dates.vocabulary import NEXT, NTH, WEEKDAY, WEEKDAYS, WORKDAY, compiled

_ARTICLE = r"(?:on |the |am |der |den |le |el |il |l')?"
_OF = r"(?:in |of |im |des |du |de |del |di |dell'|d'|,)?\s*(?:the )?"
_MONTH = (
    r"(?:(?P<this>(?:this |dieses |diesem |ce |este |questo )?(?:month|monats?|mois|mes|mese))"
    rf"|(?P<next>(?:next month|(?:de[sm] )?(?:{NEXT}|nachste[mns]) monats?|mois prochain"
    r"|mes que viene|mes proximo|proximo mes|mese prossimo|prossimo mese))"
    r"|(?P<name>[a-z]{3,10})\.?(?:,? (?:de |del )?(?P<year>\d{4}))?)"
)
_NTH_OF_MONTH = (
    rf"{_ARTICLE}(?P<nth>{'|'.join(NTH.values())}) "
    rf"(?P<day>{WEEKDAY}|{WORKDAY}|day|tag|jour|dia|giorno) {_OF}{_MONTH}"
)
_NUMBER_OF_MONTH = (
    rf"{_ARTICLE}(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th|\.|er|e)?|(?P<nth>{NTH[1]})) "
    rf"{_OF}{_MONTH}"
)
_PART_OF_MONTH = (
    r"(?:the |a |al |au |en |a la |all'|alla )*"
    r"(?:(?P<first>beginning|start|anfang|debut|principios|inizio)|(?P<early>early)"
    r"|(?P<middle>middle|mid|mitte|mi|mediados|meta)|(?P<late>late)"
    rf"|(?P<end>end|ende|fin|finales|fine))[ -]{_OF}{_MONTH}"
)
_SHORT = {"eom": "month", "eoy": "year", "eow": "week"}


def day_of_month(phrase: str, today: date) -> Day | Unclear | None:
    """The day; None when the phrase counts nothing in a month. Raises ValueError for no such day.

    A month by its name is the next one in which the day is not over.
    """
    if short := _SHORT.get(phrase):
        return _end(short, today)
    for reader in (_nth, _number, _part):
        if (found := reader(phrase, today)) is not None:
            return found
    return None


def _end(unit: str, today: date) -> Day | Unclear:
    match unit:
        case "month":
            return Day(_last(today.year, today.month))
        case "year":
            return Day(date(today.year, 12, 31))
        case _:
            friday = today + timedelta(days=4 - today.weekday())
            sunday = Day(friday + timedelta(days=2))
            return Unclear("can mean the Friday or the Sunday", (Day(friday), sunday))


def _months(match: re.Match[str], today: date) -> list[tuple[int, int]] | None:
    """The months that can be meant, as (year, month), the nearest first."""
    if match["this"]:
        return [(today.year, today.month)]
    if match["next"]:
        return [(today.year + today.month // 12, today.month % 12 + 1)]
    month = month_number(match["name"])
    if month is None:
        return None
    if match["year"]:
        return [(int(match["year"]), month)]
    return [(today.year, month), (today.year + 1, month)]


def _nth(phrase: str, today: date) -> Day | None:
    match = compiled(_NTH_OF_MONTH).fullmatch(phrase)
    months = match and _months(match, today)
    if match is None or not months:
        return None
    nth = next(nth for nth, words in NTH.items() if re.fullmatch(words, match["nth"]))
    if (weekday := WEEKDAYS.get(match["day"])) is not None:
        fitting = range(weekday, weekday + 1)
    else:
        fitting = range(5 if compiled(WORKDAY).fullmatch(match["day"]) else 7)
    return _coming([_nth_day(*month, fitting, nth) for month in months], today)


def _nth_day(year: int, month: int, weekdays: range, nth: int) -> date:
    length = calendar.monthrange(year, month)[1]
    fitting = [
        day
        for day in (date(year, month, number) for number in range(1, length + 1))
        if day.weekday() in weekdays
    ]
    return fitting[nth - 1 if nth > 0 else nth]


def _number(phrase: str, today: date) -> Day | None:
    match = compiled(_NUMBER_OF_MONTH).fullmatch(phrase)
    if match is None or match["name"]:
        return None  # `5 december` is read elsewhere
    (month,) = _months(match, today) or [(today.year, today.month)]
    return Day(date(*month, int(match["number"] or 1)))


def _part(phrase: str, today: date) -> Day | Unclear | None:
    match = compiled(_PART_OF_MONTH).fullmatch(phrase)
    months = match and _months(match, today)
    if match is None or not months:
        return None
    if match["early"] or match["late"]:
        days = [
            date(*month, day) if match["early"] else _last(*month) - timedelta(days=10 - day)
            for month in (_ahead(months, today),)
            for day in ((1, 7) if match["early"] else (0, 10))
        ]
        return Unclear("names several days", tuple(Day(day) for day in days))
    if match["end"]:
        return _coming([_last(*month) for month in months], today)
    number = 15 if match["middle"] else 1
    return _coming([date(*month, number) for month in months], today)


def _ahead(months: list[tuple[int, int]], today: date) -> tuple[int, int]:
    return next((month for month in months if month >= (today.year, today.month)), months[-1])


def _coming(days: list[date], today: date) -> Day:
    return Day(next((day for day in days if day >= today), days[-1]))


def _last(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])
