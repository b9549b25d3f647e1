"""The day in a phrase: `friday`, `next week`, `end of month`, `5.12.`, `5 December`.

Days with names (`christmas eve`, `ostermontag`, `nochevieja`, `the day after easter`) are only
those that have one date wherever their name is used: no "Thanksgiving", no "Mother's Day".
"""

import calendar
import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import TypeAlias

from dateutil.easter import easter

from bot.dates.library import library_day, month_number
from bot.dates.months import day_of_month
from bot.dates.reading import Day, Unclear
from bot.dates.vocabulary import (
    COUNT,
    MONTH_END,
    NAMED_DAYS,
    NEXT,
    NUMBERS,
    OTHER_LANGUAGES,
    THIS,
    UNITS,
    WEEKDAY,
    WEEKDAYS,
    compiled,
)
from bot.dates.weeks import day_by_weeks

_ON_WEEKDAY = (
    rf"(?:(?P<next>{NEXT})|(?P<this>{THIS}))?\s*(?P<day>{WEEKDAY})\.?(?: (?P<after>{NEXT}|que "
    rf"viene|qui vient))?"
)
_WHOLE = (
    rf"{NEXT} (?P<unit>week|month|year|woche|monat|jahr|semana|mes|ano|settimana|mese|anno)"
    rf"|(?:la )?(?P<unit2>semaine|semana|settimana|mois|mes|mese|annee) (?:{NEXT}|que viene)"
)
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.?(?:\s?(\d{4}|\d{2}))?")
_SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}|\d{2}))?")
_BACKWARD = re.compile(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})")
_Reader: TypeAlias = Callable[[str, date], Day | Unclear | None]
_LATE_ENDS = {"monatsende": "month", "jahresende": "year", "fin de l'annee": "year"}
_FIXED_HOLIDAYS: dict[str, tuple[int, int]] = {
    name: day
    for day, names in {
        (
            1,
            1,
        ): "new year; new year's; new year's day; neujahr; neujahrstag; jour de l'an; l'an; nouvel"
        " an; ano nuevo; capodanno",
        (1, 6): "epiphany; dreikonigstag; dreikonige; heilige drei konige; heiligen drei konige;"
        " epiphanie; reyes; dia de reyes; epifania; befana",
        (2, 14): "valentine's day; valentinstag; saint-valentin; san valentin; san valentino",
        (5, 1): "may day; tag der arbeit; fete du travail; dia del trabajo; festa del lavoro",
        (10, 31): "halloween",
        (11, 1): "all saints' day; allerheiligen; toussaint; todos los santos; ognissanti",
        (12, 6): "nikolaus; nikolaustag; saint-nicolas",
        (12, 24): "christmas eve; heiligabend; heilig abend; heiliger abend; nochebuena",
        (12, 25): "christmas; xmas; christmas day; weihnachten; weihnachtstag; erster"
        " weihnachtstag; ersten weihnachtstag; noel; navidad; natale",
        (12, 26): "boxing day; zweiter weihnachtstag; zweiten weihnachtstag; santo stefano",
        (12, 31): "new year's eve; new years eve; nye; silvester; saint-sylvestre; nochevieja; san"
        " silvestro",
    }.items()
    for name in names.split("; ")
}
_FROM_EASTER: dict[str, int] = {
    name: days
    for days, names in {
        -46: "ash wednesday; aschermittwoch; mercredi des cendres; miercoles de ceniza",
        -3: "maundy thursday; grundonnerstag; jeudi saint; jueves santo; giovedi santo",
        -2: "good friday; karfreitag; vendredi saint; viernes santo; venerdi santo",
        -1: "holy saturday; karsamstag; ostersamstag; sabado santo; sabato santo",
        0: "easter; easter sunday; ostern; ostersonntag; paques; dimanche de paques; pascua;"
        " domingo de pascua; pasqua; domenica di pasqua",
        1: "easter monday; ostermontag; lundi de paques; lunes de pascua; pasquetta; lunedi"
        " dell'angelo",
        39: "ascension; ascension day; himmelfahrt; christi himmelfahrt; jeudi de l'ascension;"
        " ascensione",
        49: "pentecost; whit sunday; pfingsten; pfingstsonntag; pentecote; pentecostes; pentecoste",
        50: "whit monday; pfingstmontag; lundi de pentecote; lunes de pentecostes; lunedi di"
        " pentecoste",
        60: "corpus christi; fronleichnam; fete-dieu; corpus domini",
    }.items()
    for name in names.split("; ")
}
_HOLIDAY_LEAD = (
    r"(?:(?:this|next|on|at|an|zu|zum|am|a|en|the|le|la|el|il|los|l'|jour de|dia de)(?: |(?<=')))*"
)
_HOLIDAY = rf"{_HOLIDAY_LEAD}(?P<name>[a-z' -]+?)(?: prochaine?)?(?:,? (?P<year>\d{{4}}))?"
_BESIDE_HOLIDAY = (
    rf"(?:the )?(?:day|(?P<count>\d{{1,2}}|{COUNT}) days?) (?:(?P<before>before)|after) "
    r"(?P<name>.+)",
    rf"(?:am )?(?:tag|(?P<count>\d{{1,2}}|{COUNT}) tage?) (?:(?P<before>vor)|nach) (?P<name>.+)",
    r"(?:la )?(?:(?P<before>veille)|lendemain) (?:de |d')(?P<name>.+)",
    r"(?:el )?dia (?:(?P<before>antes)|despues) de (?P<name>.+)",
    r"(?:il )?giorno (?:(?P<before>prima)|dopo)(?: di)? (?P<name>.+)",
    r"(?:alla |la )?(?P<before>vigilia) (?:di |della )(?P<name>.+)",
)


def read_day(phrase: str, today: date) -> Day | Unclear | None:
    """The day that a folded phrase names, seen from `today`; None when it names none."""
    return _first_of(_READERS, phrase, today)


def read_told_day(phrase: str, today: date) -> Day | Unclear | None:
    """The same for phrases that name a day in several words or by its name, and never a time.

    `a week from monday`, `last friday in march`, `christmas eve`.
    """
    return _first_of((day_by_weeks, day_of_month, holiday), phrase, today)


def _first_of(readers: Sequence[_Reader], phrase: str, today: date) -> Day | Unclear | None:
    for reader in readers:
        try:
            if (found := reader(phrase, today)) is not None:
                return found
        except (ValueError, OverflowError):
            return Unclear("names a day that no calendar has")
    return None


def _named(phrase: str, today: date) -> Day | None:
    if phrase not in NAMED_DAYS:
        return None
    return Day(today + timedelta(days=NAMED_DAYS[phrase]))


def _weekday(phrase: str, today: date) -> Day | Unclear | None:
    match = compiled(_ON_WEEKDAY).fullmatch(phrase)
    if match is None:
        return None
    ahead = (WEEKDAYS[match["day"]] - today.weekday()) % 7
    coming, following = Day(today + timedelta(days=ahead)), Day(today + timedelta(days=ahead + 7))
    if match["next"] or match["after"]:
        if ahead == 0:
            return following
        # Within a week, "next" may mean the coming day or the one a week later.
        same_week = today.weekday() + ahead < 7
        return Unclear("can mean two days", (coming, following)) if same_week else coming
    if ahead == 0 and not match["this"]:
        return Unclear("is today or a week from now", (coming, following))
    return coming


def _next_whole(phrase: str, today: date) -> Unclear | None:
    match = compiled(_WHOLE).fullmatch(phrase)
    if match is None:
        return None
    unit = UNITS[match["unit"] or match["unit2"]]
    monday = today + timedelta(days=7 - today.weekday())
    choices = (Day(monday), Day(monday + timedelta(days=4))) if unit == "week" else ()
    return Unclear(f"names a whole {unit} and no day", choices)


def _end_of(phrase: str, today: date) -> Day | Unclear | None:
    match = MONTH_END.fullmatch(phrase)
    if match is None:
        return None
    said = next(
        (
            match[name]
            for name in ("what", "what_de", "what_fr", "what_es", "what_it")
            if match[name]
        ),
        "",
    )
    said = {"monats": "monat", "jahres": "jahr"}.get(said, said)
    unit = _LATE_ENDS.get(phrase) or UNITS.get(said, "")
    following = "next" in (match["en"] or "") or "nachsten" in (match["de"] or "")
    match unit:
        case "day":
            return Day(today)
        case "month":
            return Day(_month_end(today.year, today.month + (1 if following else 0)))
        case "year":
            return Day(date(today.year + (1 if following else 0), 12, 31))
        case _:
            friday = today + timedelta(days=(4 - today.weekday()) % 7 + (7 if following else 0))
            return Unclear(
                "can mean the Friday or the Sunday", (Day(friday), Day(friday + timedelta(days=2)))
            )


def _month_end(year: int, month: int) -> date:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year, month, calendar.monthrange(year, month)[1])


def _numbers(phrase: str, today: date) -> Day | Unclear | None:
    if match := _BACKWARD.fullmatch(phrase):
        return Day(date(int(match[1]), int(match[2]), int(match[3])))
    if match := _DOTTED.fullmatch(phrase):
        return Day(_coming(int(match[1]), int(match[2]), match[3], today))
    match = _SLASHED.fullmatch(phrase)
    if match is None:
        return None
    first, second = int(match[1]), int(match[2])
    if first > 12 or second > 12 or first == second:
        day, month = (second, first) if second > 12 else (first, second)
        return Day(_coming(day, month, match[3], today))
    both = (
        Day(_coming(first, second, match[3], today)),
        Day(_coming(second, first, match[3], today)),
    )
    return Unclear("can be day and month or month and day", both)


def _coming(day: int, month: int, year: str | None, today: date) -> date:
    """The day in the named year, or the next such day. Raises ValueError for none."""
    if year is not None:
        return date(int(year) + (2000 if len(year) == 2 else 0), month, day)
    for candidate in range(today.year, today.year + 9):
        if month == 2 and day == 29 and not calendar.isleap(candidate):
            continue
        if (found := date(candidate, month, day)) >= today:
            return found
    raise ValueError("no such day")


def _of_this_month(phrase: str, today: date) -> Day | None:
    """`the 5th` is the next fifth of a month."""
    match = re.fullmatch(r"(?:the )?(\d{1,2})(?:st|nd|rd|th|\.)", phrase)
    if match is None:
        return None
    for month in range(today.month, today.month + 3):
        year, of_year = today.year + (month - 1) // 12, (month - 1) % 12 + 1
        if int(match[1]) <= calendar.monthrange(year, of_year)[1]:
            day = date(year, of_year, int(match[1]))
            if day >= today:
                return Day(day)
    raise ValueError("no such day")


def _day_and_month(phrase: str, today: date) -> Day | Unclear | None:
    """A day and a month, perhaps with a year: `5 December`, `1er mars`, `am 5. dezember 2026`."""
    weekday, rest = _without_weekday(phrase)
    match = re.fullmatch(
        r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?(?: of| de| di)? "
        r"(?P<month>[a-z]{3,10})\.?"
        r"(?:,? (?:de |del )?(?P<year>\d{4}))?"
        r"|(?P<month2>[a-z]{3,10})\.? (?:the )?(?P<day2>\d{1,2})(?:st|nd|rd|th)?(?:,? "
        r"(?P<year2>\d{4}))?",
        rest,
    )
    if match is None:
        return None
    month = month_number(match["month"] or match["month2"])
    if month is None:
        return None
    day = _coming(int(match["day"] or match["day2"]), month, match["year"] or match["year2"], today)
    if weekday is not None and day.weekday() != weekday:
        return Unclear(
            f"doesn't fit: {Day(day).spoken()} is no {calendar.day_name[weekday]}", (Day(day),)
        )
    return Day(day)


def _without_weekday(phrase: str) -> tuple[int | None, str]:
    match = re.fullmatch(
        rf"(?P<day>{WEEKDAY})\.?,? (?:the |den |dem |le |el |il )?(?P<rest>.+)", phrase
    )
    return (None, phrase) if match is None else (WEEKDAYS[match["day"]], match["rest"])


def _in_other_languages(phrase: str, today: date) -> Day | None:
    """Phrases in other languages: `5 декабря`, `amanhã`, `in 3 dagen`."""
    found = library_day(phrase, OTHER_LANGUAGES, today)
    if found is None or any(int(year) != found.year for year in re.findall(r"\d{4}", phrase)):
        return None
    return Day(found)


_READERS: tuple[_Reader, ...] = (
    _named,
    _weekday,
    _next_whole,
    _end_of,
    _numbers,
    _of_this_month,
    _day_and_month,
    _in_other_languages,
)


def holiday(phrase: str, today: date) -> Day | Unclear | None:
    """The next such day, or the one of the year that was named; None when it names none."""
    for pattern in _BESIDE_HOLIDAY:
        if (match := compiled(pattern).fullmatch(phrase)) is not None:
            said = match.groupdict().get("count") or "1"
            count = int(float(NUMBERS.get(said, 0) or said))
            return _beside(match["name"], -count if match["before"] else count, today)
    return _holiday(phrase, today)


def _beside(name: str, days: int, today: date) -> Day | Unclear | None:
    """The day before or after a holiday. It may be ahead although the holiday is over."""
    if name in NAMED_DAYS:
        return None  # `the day after tomorrow`
    found = _holiday(name, today - timedelta(days=days))
    return Day(found.day + timedelta(days=days)) if isinstance(found, Day) else found


def _holiday(phrase: str, today: date) -> Day | Unclear | None:
    if re.sub(r"^(?:the |le |el )", "", phrase) in {"reveillon", "le reveillon"}:
        eves = Day(_coming(24, 12, None, today)), Day(_coming(31, 12, None, today))
        return Unclear("can mean Christmas Eve or New Year's Eve", eves)
    match = compiled(_HOLIDAY).fullmatch(phrase)
    if match is None:
        return None
    name, year = match["name"], int(match["year"]) if match["year"] else None
    if (fixed := _FIXED_HOLIDAYS.get(name)) is not None:
        return Day(_coming(fixed[1], fixed[0], match["year"], today))
    offset = _FROM_EASTER.get(name)
    if offset is None:
        return None
    days = [
        easter(one) + timedelta(days=offset)
        for one in ((year,) if year else (today.year, today.year + 1))
    ]
    return Day(next((day for day in days if day >= today), days[-1]))
