"""Days with names: `christmas eve`, `ostermontag`, `nochevieja`, `the day after easter`.

Only days that have one date wherever their name is used: no "Thanksgiving", no "Mother's Day".
"""

import re
from datetime import date, timedelta

from dateutil.easter import easter

from bot.dates.patterns import compiled
from bot.dates.reading import Day, Unclear
from bot.dates.vocabulary import COUNT, NAMED_DAYS, NUMBERS

_FIXED: dict[str, tuple[int, int]] = {
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
_LEAD = (
    r"(?:(?:this|next|on|at|an|zu|zum|am|a|en|the|le|la|el|il|los|l'|jour de|dia de)(?: |(?<=')))*"
)
_NAMED = rf"{_LEAD}(?P<name>[a-z' -]+?)(?: prochaine?)?(?:,? (?P<year>\d{{4}}))?"
_BESIDE = (
    rf"(?:the )?(?:day|(?P<count>\d{{1,2}}|{COUNT}) days?) (?:(?P<before>before)|after) "
    r"(?P<name>.+)",
    rf"(?:am )?(?:tag|(?P<count>\d{{1,2}}|{COUNT}) tage?) (?:(?P<before>vor)|nach) (?P<name>.+)",
    r"(?:la )?(?:(?P<before>veille)|lendemain) (?:de |d')(?P<name>.+)",
    r"(?:el )?dia (?:(?P<before>antes)|despues) de (?P<name>.+)",
    r"(?:il )?giorno (?:(?P<before>prima)|dopo)(?: di)? (?P<name>.+)",
    r"(?:alla |la )?(?P<before>vigilia) (?:di |della )(?P<name>.+)",
)


def holiday(phrase: str, today: date) -> Day | Unclear | None:
    """The next such day, or the one of the year that was named; None when it names none."""
    for pattern in _BESIDE:
        if (match := compiled(pattern).fullmatch(phrase)) is not None:
            said = match.groupdict().get("count") or "1"
            count = int(float(NUMBERS.get(said, 0) or said))
            return _beside(match["name"], -count if match["before"] else count, today)
    return _named(phrase, today)


def _beside(name: str, days: int, today: date) -> Day | Unclear | None:
    """The day before or after a holiday. It may be ahead although the holiday is over."""
    if name in NAMED_DAYS:
        return None  # `the day after tomorrow`
    found = _named(name, today - timedelta(days=days))
    return Day(found.day + timedelta(days=days)) if isinstance(found, Day) else found


def _named(phrase: str, today: date) -> Day | Unclear | None:
    if re.sub(r"^(?:the |le |el )", "", phrase) in {"reveillon", "le reveillon"}:
        eves = Day(_coming((12, 24), today)), Day(_coming((12, 31), today))
        return Unclear("can mean Christmas Eve or New Year's Eve", eves)
    match = compiled(_NAMED).fullmatch(phrase)
    if match is None:
        return None
    name, year = match["name"], int(match["year"]) if match["year"] else None
    if (fixed := _FIXED.get(name)) is not None:
        return Day(date(year, *fixed) if year else _coming(fixed, today))
    offset = _FROM_EASTER.get(name)
    if offset is None:
        return None
    days = [
        easter(one) + timedelta(days=offset)
        for one in ((year,) if year else (today.year, today.year + 1))
    ]
    return Day(next((day for day in days if day >= today), days[-1]))


def _coming(month_and_day: tuple[int, int], today: date) -> date:
    this = date(today.year, *month_and_day)
    return this if this >= today else date(today.year + 1, *month_and_day)
