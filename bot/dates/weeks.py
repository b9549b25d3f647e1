"""Days that a phrase counts by weeks: `friday next week`, `early next week`, `a week from friday`.

A week begins on Monday. A range of days is asked back, with the days that it can mean.
"""

import re
from datetime import date, timedelta

from bot.dates.reading import Day, Unclear
from bot.dates.vocabulary import COUNT, NAMED_DAYS, NEXT, NUMBERS, WEEKDAY, WEEKDAYS, compiled

_WEEK_WORD = "(?:week|woche|semaine|semana|settimana)"
_WEEK = (
    rf"(?:(?P<after>(?:the )?week after next|ubernachste[rn]? woche|uebernaechste[rn]? woche)"
    rf"|(?P<next>(?:la )?{NEXT} {_WEEK_WORD}|(?:la )?{_WEEK_WORD} (?:{NEXT}|que viene))"
    rf"|(?P<this>(?:this|diese[rn]?|cette|esta|questa) {_WEEK_WORD}))"
)
_OF = r"(?:of |in |der |de |della |del |di )?(?:the |la )?"
_ARTICLE = r"(?:on |the |am |den |le |el |il )?"
_DAY_OF_WEEK = rf"{_ARTICLE}(?P<day>{WEEKDAY})\.?,? {_OF}{_WEEK}"
_WEEK_AND_DAY = rf"(?:in der )?{_WEEK},? {_ARTICLE}(?P<day>{WEEKDAY})"
_PART_OF_WEEK = (
    r"(?:the |a |al |au |en |all'|alla |vers la |gegen |hacia |verso la )*"
    r"(?:(?P<early>early|beginning|start|anfang|debut|principios|inizio)"
    r"|(?P<middle>middle|mid(?:-?week)?|mitte|milieu|mediados|meta)"
    r"|(?P<late>late|later)|(?P<end>end|ende|fin|finales|fine))"
    rf"[ -]{_OF}{_WEEK}"
)
_WEEKEND = (
    rf"(?:(?P<next>{NEXT}) |(?:{_ARTICLE}(?:this|over|at|dieses|ce|este|questo|nel) )?"
    r"(?:the )?)?(?:weekend|week-end|wochenende|fin de semana|fine settimana)"
    rf"(?P<later> (?:{NEXT}|que viene))?"
)
_FROM = rf"(?P<from>today|now|tomorrow|heute|morgen|demain|manana|oggi|domani|{WEEKDAY})"
_COUNT = rf"(?P<count>\d{{1,2}}|{COUNT}) (?:weeks?|wochen?|semaines?|semanas?|settiman[ae])"
_WEEKS_FROM = (
    rf"(?:{_COUNT}|(?P<fortnight>(?:a )?fortnight)|week) "
    rf"(?:from|on|after|despues (?:de |del )|dopo )\s?(?:the |el |il )?{_FROM}",
    rf"{_ARTICLE}{_FROM} (?:in {_COUNT}|in (?P<one>acht tagen)|in (?P<two>vierzehn tagen)|week)",
    rf"(?:{_FROM}|d'aujourd'hui) en (?:(?P<one>huit)|(?P<two>quinze))",
    r"de (?P<from>hoy|manana) en (?:(?P<one>ocho)|(?P<two>quince)) dias",
    rf"{_FROM} a (?P<one>otto)",
)
_WEEKDAY_AND_SPAN = (
    rf"{_ARTICLE}(?P<day>{WEEKDAY}) (?:dans|dentro de|en|tra|fra) (?:deux semaines"
    r"|dos semanas|due settimane)",
    rf"(?:dans|dentro de|en|tra|fra|in) (?:deux semaines|dos semanas|due settimane"
    rf"|two weeks|zwei wochen),? {_ARTICLE}(?P<day>{WEEKDAY})",
)


def day_by_weeks(phrase: str, today: date) -> Day | Unclear | None:
    """The day, or the days that it can mean; None when the phrase counts no weeks."""
    for reader in (_day_of_week, _part_of_week, _weekend, _weeks_from, _weekday_and_span):
        if (found := reader(phrase, today)) is not None:
            return found
    return None


def _monday(match: re.Match[str], today: date) -> date:
    """The Monday of the week that was named."""
    weeks = 2 if match["after"] else 1 if match["next"] else 0
    return today + timedelta(days=7 * weeks - today.weekday())


def _day_of_week(phrase: str, today: date) -> Day | None:
    match = compiled(_DAY_OF_WEEK).fullmatch(phrase) or compiled(_WEEK_AND_DAY).fullmatch(phrase)
    if match is None:
        return None
    return Day(_monday(match, today) + timedelta(days=WEEKDAYS[match["day"]]))


def _part_of_week(phrase: str, today: date) -> Day | Unclear | None:
    if phrase in {"midweek", "mid week", "mid-week", "mitte der woche"}:
        phrase = "mid this week"
    match = compiled(_PART_OF_WEEK).fullmatch(phrase)
    if match is None:
        return None
    monday = _monday(match, today)
    if match["middle"]:
        return Day(monday + timedelta(days=2))
    towards_the_end = match["late"] or re.match(r"gegen|vers|hacia|verso", phrase)
    first, last = (3, 4) if towards_the_end else (0, 1) if match["early"] else (4, 6)
    days = Day(monday + timedelta(days=first)), Day(monday + timedelta(days=last))
    return Unclear("names several days", days)


def _weekend(phrase: str, today: date) -> Unclear | None:
    match = compiled(_WEEKEND).fullmatch(phrase)
    if match is None:
        return None
    saturday = today + timedelta(days=5 - today.weekday())
    if match["next"] or match["later"]:
        both = Day(saturday), Day(saturday + timedelta(days=7))
        return Unclear("can mean two weekends", both)
    return Unclear("names two days", (Day(saturday), Day(saturday + timedelta(days=1))))


def _weeks_from(phrase: str, today: date) -> Day | Unclear | None:
    for pattern in _WEEKS_FROM:
        if (match := compiled(pattern).fullmatch(phrase)) is None:
            continue
        weeks = _weeks(match.groupdict())
        said = match["from"] or "today"
        if weeks is None:
            return None
        if said not in WEEKDAYS:
            return Day(today + timedelta(days=NAMED_DAYS.get(said, 0) + 7 * weeks))
        ahead = (WEEKDAYS[said] - today.weekday()) % 7
        day = today + timedelta(days=ahead + 7 * weeks)
        if ahead and not (weeks > 1 and pattern is _WEEKS_FROM[1] and _differs(said, today)):
            return Day(day)
        later = day + timedelta(days=7) if not ahead else day - timedelta(days=7)
        return Unclear("can mean two days", tuple(Day(one) for one in sorted((day, later))))
    return None


def _differs(weekday: str, today: date) -> bool:
    """Whether a weekday "in two weeks" differs by where one counts from: Monday, or that day."""
    return WEEKDAYS[weekday] < today.weekday()


def _weeks(said: dict[str, str | None]) -> int | None:
    """How many weeks; None for half a week."""
    if said.get("two") or said.get("fortnight"):
        return 2
    count = said.get("count") or "1"
    weeks = float(NUMBERS.get(count, 0) or count)
    return int(weeks) if weeks == int(weeks) else None


def _weekday_and_span(phrase: str, today: date) -> Day | Unclear | None:
    """`friday in two weeks`: of the week after next, or two weeks after the coming Friday."""
    for pattern in _WEEKDAY_AND_SPAN:
        if (match := compiled(pattern).fullmatch(phrase)) is not None:
            weekday = WEEKDAYS[match["day"]]
            of_week = today + timedelta(days=14 - today.weekday() + weekday)
            counted = today + timedelta(days=(weekday - today.weekday()) % 7 + 14)
            if of_week == counted:
                return Day(of_week)
            return Unclear("can mean two days", (Day(of_week), Day(counted)))
    return None
