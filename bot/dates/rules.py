"""Repetitions that no cron expression can say: `every other tuesday`, `last day of each month`.

They are kept as a rule of iCalendar on one line, with the first time in front (RFC 5545, 3.3.10):
`DTSTART:20261201T090000 RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU`. Times are those of the clocks.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from itertools import islice

from dateutil.rrule import rrule, rrulestr

from bot.dates.spoken import EN, spoken_day, spoken_names, spoken_nth, spoken_number, words_of
from bot.dates.vocabulary import NTH, WEEKDAY, WEEKDAYS, WORKDAY, compiled

START = "DTSTART:"
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WORKDAYS = ",".join(_DAYS[:5])
_UNITS = {
    "DAILY": "days?|tage?n?|jours?|dias?|giorn[oi]",
    "WEEKLY": "weeks?|wochen?|semaines?|semanas?|settiman[ae]",
    "MONTHLY": "months?|monate?n?|mois|mes(?:es)?|mes[ei]",
    "YEARLY": "years?|jahre?n?|ans?|annees?|anos?|ann[oi]",
}
_COUNTS = {
    2: "other|second|2nd|two|zweite[rnsm]?|zwei|2\\.|deux|deuxieme|dos|segundo|due|secondo",
    3: "third|3rd|three|dritte[rnsm]?|drei|3\\.|trois|troisieme|tres|tercer|tre|terzo",
    4: "fourth|4th|four|vierte[rnsm]?|vier|4\\.|quatre|quatrieme|cuatro|cuarto|quattro|quarto",
}
_EACH = r"(?:every|each|all|alle|jede[rnsm]?|chaque|tous les|toutes les|cada|ogni)"
_COUNT = r"(?P<count>\d{1,2}|" + "|".join(_COUNTS.values()) + ")"
_UNIT = "|".join(f"(?P<{name}>{words})" for name, words in _UNITS.items())
_DAY_OR_NUMBER = (
    r"(?:,? (?:on |am |le |el |il |los )?(?:(?P<day>{day})s?|(?:the |den )?(?P<number>\d{{1,2}})"
    r"(?:st|nd|rd|th|\.|er)?))?"
)
_ON = _DAY_OR_NUMBER.format(day=WEEKDAY)
_INTERVAL = rf"{_EACH} {_COUNT} (?:{_UNIT}){_ON}"
_FORTNIGHTLY = (
    rf"(?:biweekly|fortnightly|every fortnight|zweiwochentlich|14-tagig|vierzehntagig){_ON}"
)
_EVERY_OTHER_DAY = (
    rf"(?:on )?{_EACH} {_COUNT} (?P<day>{WEEKDAY})s?|un (?P<day2>{WEEKDAY}) sur deux"
    rf"|un (?P<day3>{WEEKDAY}) si y otro no"
)
_NTH_DAY = (
    rf"(?P<nth>{'|'.join(NTH.values())}) (?P<day>{WEEKDAY}|{WORKDAY}|day|tag|jour|dia|giorno)"
)
_OF_EACH_MONTH = (
    r"(?:of (?:the|each|every) month|(?:im|des|jede[ns]|in jedem) monats?|(?:du|de chaque) mois"
    r"|(?:del|de cada) mes|(?:del|di ogni) mese|every month|each month|monthly)"
)
_MONTHLY = (
    rf"(?:{_EACH} |on |am |the |le |el |il |l')*{_NTH_DAY},? {_OF_EACH_MONTH}",
    r"(?:every|each|jeden|chaque|cada|ogni) (?:month|monat|mois|mes|mese),? "
    rf"(?:on |am |le |el |il |l')?(?:the )?{_NTH_DAY}",
    rf"monthly(?: on)?(?: the)? {_NTH_DAY}",
)
_RRULE = re.compile(r"(?:RRULE:)?(?P<parts>FREQ=[A-Z]+(?:;[A-Z]+=[-+\w,]+)*;?)")
_PARTS = re.compile(
    r"DTSTART:\d{8}T\d{6} RRULE:FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)"
    r"(?:;(?:INTERVAL=\d{1,3}|BYDAY=[-+\dA-Z,]{2,40}|BYMONTHDAY=[-\d,]{1,40}|BYMONTH=[\d,]{1,30}"
    r"|BYSETPOS=[-\d,]{1,12}|WKST=[A-Z]{2}|UNTIL=\d{8}T\d{6}))*"
)
_UNTIL = re.compile(r";?UNTIL=(\d{8}T\d{6})")
_FORM = "%Y%m%dT%H%M%S"
_LONGEST = timedelta(days=9 * 366)


def is_rule(text: str) -> bool:
    return text.startswith(START)


def next_time(rule: str, after: datetime) -> datetime | None:
    """The first local time of a rule after `after`; None when none comes within nine years.

    Raises ValueError for a rule that can't be read.
    """
    if _PARTS.fullmatch(rule) is None:
        raise ValueError(f"{rule[:80]!r} is no rule that can be read")
    last = after + _LONGEST
    if (end := end_of(rule)) is not None:
        last = min(last, end)
    return _parsed(_UNTIL.sub("", rule)).replace(until=last).after(after)


def end_of(rule: str) -> datetime | None:
    """The local time after which a rule is over; None for one that goes on for good."""
    found = _UNTIL.search(rule)
    return None if found is None else datetime.strptime(found[1], _FORM)  # noqa: DTZ007 - local


def _first_of(rule: str) -> datetime:
    """The local time that a rule counts from."""
    return datetime.strptime(rule[len(START) :][:15], _FORM)  # noqa: DTZ007 - on the clocks


def ending_on(rule: str, last: date) -> str | None:
    """The rule with its last day; None if it never comes by then."""
    start = _first_of(rule)
    if start.date() > last:
        return None
    return f"{rule};UNTIL={last:%Y%m%d}T235959"


def ending_after(rule: str, count: int) -> str | None:
    """The rule that comes `count` times; None if these take more than nine years."""
    start = _first_of(rule)
    times = list(islice(_parsed(rule).replace(until=start + _LONGEST), count))
    return ending_on(rule, times[-1].date()) if count and len(times) == count else None


def rule_of_cron(cron: str, now: datetime) -> str | None:
    """A cron of days at one time as a rule, first due after `now` (local); None for others."""
    minute, hour, day, month, weekday = cron.lower().split()
    if not (minute.isdigit() and hour.isdigit()):
        return None
    match day, month, weekday:
        case "*", "*", "*":
            parts = "FREQ=DAILY"
        case "*", "*", "mon-fri":
            parts = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
        case "*", "*", names if re.fullmatch(r"[a-z]{3}(?:,[a-z]{3})*", names):
            parts = f"FREQ=WEEKLY;BYDAY={','.join(name[:2].upper() for name in names.split(','))}"
        case number, "*", "*" if number.isdigit():
            parts = f"FREQ=MONTHLY;BYMONTHDAY={number}"
        case number, at, "*" if number.isdigit() and at.isdigit():
            parts = f"FREQ=YEARLY;BYMONTH={at};BYMONTHDAY={number}"
        case _:
            return None
    return _anchored(parts, time(int(hour), int(minute)), now)


def _parsed(rule: str) -> rrule:
    """Raises ValueError."""
    read = rrulestr(rule.replace(" ", "\n"))
    if isinstance(read, rrule):
        return read
    raise ValueError(f"{rule[:80]!r} is more than one rule")


def read_rule(phrase: str, at: time, now: datetime) -> str | None:
    """The rule of a folded phrase without its time, first due after `now` (local); else None."""
    for reader in (_interval, _other_weekday, _monthly):
        if (parts := reader(phrase)) is not None:
            return _anchored(parts, at, now)
    return None


def read_icalendar(text: str, default: time, now: datetime) -> str | None:
    """An RRULE of iCalendar (`RRULE:FREQ=WEEKLY;BYDAY=TU`) as a rule; None for other texts.

    None also for one that comes more often than daily, and for one that ends at a time of UTC.
    BYHOUR and BYMINUTE are its time; without them it is `default`. COUNT becomes the last day.
    """
    bare = _RRULE.fullmatch(text.strip().upper())
    if bare is None:
        return None
    listed = str(bare["parts"]).rstrip(";").split(";")
    parts = {part.split("=")[0]: part.split("=")[1] for part in listed}
    hour, minute = parts.pop("BYHOUR", ""), parts.pop("BYMINUTE", "0")
    until, count = parts.pop("UNTIL", ""), parts.pop("COUNT", "")
    try:
        at = time(int(hour), int(minute)) if hour else default
        rule = _anchored(";".join(f"{key}={value}" for key, value in parts.items()), at, now)
        if rule is not None and until:
            rule = ending_on(rule, datetime.strptime(until, "%Y%m%d").date())  # noqa: DTZ007 - local
        if rule is not None and count:
            rule = ending_after(rule, int(count)) if not until else None
    except ValueError:
        return None
    return rule if rule is not None and _PARTS.fullmatch(rule) else None


def spoken_rule(rule: str, language: str = EN) -> str | None:
    """A rule in words; None if it has other parts. `read_rule` understands English ones."""
    words = words_of(language)
    days = _spoken_days(_UNTIL.sub("", rule).partition(" RRULE:")[2], language)
    if days is None:
        return None
    end, at = end_of(rule), _first_of(rule)
    told = words.at.format(days=days, time=f"{at:%H:%M}")
    if end is None:
        return told
    day = f"{end:%Y-%m-%d}" if language == EN else spoken_day(end, language)
    return words.until.format(when=told, day=day)


def _spoken_days(parts: str, language: str) -> str | None:
    """The days of a rule in words."""
    said_in = words_of(language)
    said = dict(part.split("=", 1) for part in parts.split(";"))
    freq, count = said.pop("FREQ"), said.pop("INTERVAL", "1")
    words: str | None = None
    match freq, said:
        case "MONTHLY", {"BYDAY": days, **rest} if count == "1":
            words = _spoken_nth(days, rest, language)
        case "MONTHLY", {"BYMONTHDAY": "-1", **rest} if not rest and count == "1":
            words = said_in.on_last
        case "MONTHLY", {"BYMONTHDAY": day, **rest} if not rest and day.isdigit():
            words = (
                said_in.on_number.format(number=_numbered(int(day), language))
                if count == "1"
                else said_in.on_numbers.format(count=count, number=day)
            )
        case "WEEKLY", {"BYDAY": days, **rest} if not rest and count == "1":
            numbers = [_DAYS.index(day) for day in days.split(",") if day in _DAYS]
            named = spoken_names(numbers, language) if numbers else None
            words = said_in.on_weekdays if days == _WORKDAYS else named
        case "DAILY", _ if not said and count == "1":
            words = said_in.daily
        case "WEEKLY", {"BYDAY": day, **rest} if not rest and day in _DAYS:
            name = said_in.weekdays[_DAYS.index(day)]
            words = said_in.weeks_on.format(count=count, name=name)
        case "DAILY" | "YEARLY" | "WEEKLY", _ if not said:
            words = said_in.units[freq].format(count=count)
        case _:
            pass
    return words


def _spoken_nth(days: str, rest: Mapping[str, str], language: str) -> str | None:
    """A weekday or working day that is counted in a month."""
    if days == _WORKDAYS and [*rest] == ["BYSETPOS"]:
        workday = re.fullmatch(r"-?\d", rest["BYSETPOS"])
        return spoken_nth(int(workday[0]), None, language) if workday else None
    weekday = re.fullmatch(r"(-?\d)([A-Z]{2})", days)
    if rest or weekday is None:
        return None
    return spoken_nth(int(weekday[1]), _DAYS.index(weekday[2]), language)


def _numbered(day: int, language: str) -> str:
    """English has no ordinal here, which `read_rule` reads as a day of the month."""
    return f"{day}." if language == EN else spoken_number(day, language)


def _interval(phrase: str) -> str | None:
    match = compiled(_INTERVAL).fullmatch(phrase)
    if match is None:
        fortnightly = compiled(_FORTNIGHTLY).fullmatch(phrase)
        return None if fortnightly is None else _weekly(2, fortnightly)
    count = _number(match["count"])
    freq = next(name for name in _UNITS if match[name])
    if not 2 <= count <= 99:
        return None
    if freq == "WEEKLY":
        return _weekly(count, match)
    if match["day"] or (match["number"] and freq != "MONTHLY"):
        return None
    day = int(match["number"] or 0)
    if day > 28:
        return None
    return f"FREQ={freq};INTERVAL={count}" + (f";BYMONTHDAY={day}" if day else "")


def _weekly(count: int, match: re.Match[str]) -> str | None:
    if match["number"]:
        return None
    day = f";BYDAY={_DAYS[WEEKDAYS[match['day']]]}" if match["day"] else ""
    return f"FREQ=WEEKLY;INTERVAL={count}{day}"


def _other_weekday(phrase: str) -> str | None:
    match = compiled(_EVERY_OTHER_DAY).fullmatch(phrase)
    if match is None:
        return None
    count = _number(match["count"]) if match["count"] else 2
    day = match["day"] or match["day2"] or match["day3"]
    return f"FREQ=WEEKLY;INTERVAL={count};BYDAY={_DAYS[WEEKDAYS[day]]}" if count > 1 else None


def _monthly(phrase: str) -> str | None:
    for pattern in _MONTHLY:
        if (match := compiled(pattern).fullmatch(phrase)) is not None:
            nth = next(nth for nth, words in NTH.items() if re.fullmatch(words, match["nth"]))
            if match["day"] in WEEKDAYS:
                return f"FREQ=MONTHLY;BYDAY={nth}{_DAYS[WEEKDAYS[match['day']]]}"
            if compiled(WORKDAY).fullmatch(match["day"]):
                return f"FREQ=MONTHLY;BYDAY={_WORKDAYS};BYSETPOS={nth}"
            return f"FREQ=MONTHLY;BYMONTHDAY={nth}"
    return None


def _number(said: str) -> int:
    if said.isdigit():
        return int(said)
    return next(number for number, words in _COUNTS.items() if re.fullmatch(words, said))


def _anchored(parts: str, at: time, now: datetime) -> str | None:
    """The rule with its first time: the next one that fits, counted without the interval."""
    begin = datetime.combine(now.date(), at)
    once = re.sub(r";INTERVAL=\d+", "", parts)
    first = _parsed(f"{START}{begin:%Y%m%dT%H%M%S} RRULE:{once}").after(now)
    if first is None:
        return None
    return f"{START}{first:%Y%m%dT%H%M%S} RRULE:{parts}"
