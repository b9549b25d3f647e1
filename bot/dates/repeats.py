"""Converts repetitions in words (`every weekday at 9`) to cron expressions or rules, and back."""

import re
from datetime import date, datetime, time

from bot.dates.clock_times import split_time
from bot.dates.days import read_day
from bot.dates.phrases import LONGEST
from bot.dates.reading import Day
from bot.dates.rules import (
    ending_after,
    ending_on,
    is_rule,
    read_icalendar,
    read_rule,
    rule_of_cron,
    spoken_rule,
)
from bot.dates.spoken import EN, spoken_names, spoken_number, words_of
from bot.dates.vocabulary import WEEKDAY, WEEKDAYS, folded

_CRON_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_CRON_NUMBERS = dict(enumerate(("sun", *_CRON_DAYS)))
_EVERY = re.compile(
    r"^(?:on )?(?:every|each|jede[rnsm]?|chaque|tous les|toutes les|cada|todos los|ogni)(?:\s+|$)"
)
_PLURAL = re.compile(
    r"^(?:on |weekly,? (?:on )?|wochentlich (?:am )?|los |le |chaque semaine le |cada semana el "
    r"|ogni settimana (?:il |di )?)?"
    r"(?P<days>(?:mon|tues|wednes|thurs|fri|satur|sun)days\b.*"
    r"|(?:mon|diens|donners|frei|sams|sonn)tags\b.*|mittwochs\b.*)$"
)
_WEEKLY = re.compile(
    rf"^(?:weekly,? (?:on )?|every week (?:on )?|wochentlich (?:am )?|jede woche (?:am )?"
    rf"|chaque semaine,? (?:le )?|toutes les semaines,? (?:le )?|cada semana,? (?:el )?|los "
    rf"|ogni settimana,? (?:il |di )?)(?P<days>(?:{WEEKDAY})s?\b.*)$"
)
_RANGE = re.compile(
    rf"^(?:from |on |von |du |de |dal |del )?(?P<first>{WEEKDAY})s?"
    rf"(?:-| - | to | through | bis | au | a | al )(?P<last>{WEEKDAY})s?$"
)
_YEARLY = re.compile(
    r"^(?:yearly|annually|every year|each year|jahrlich|jedes jahr|chaque annee|tous les ans"
    r"|cada ano|ogni anno),? (?:on |am |le |el |il )?(?:the )?(?P<day>.+)$"
)
_MONTH_NAME = (
    "(?:jan|ene|gen|feb|fev|mar|apr|avr|abr|may|mai|mag|jun|jui|giu|jul|lug|aug|aou|ago|sep|set"
    "|oct|okt|ott|nov|dec|dez|dic)[a-z]*"
)
_IN_A_MONTH = re.compile(
    rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th|\.|er)?(?: of| de| di)? {_MONTH_NAME}"
    rf"|{_MONTH_NAME} \d{{1,2}}(?:st|nd|rd|th)?"
)
"""A day of the year, as it is named without one."""
_BARE_HOUR = re.compile(
    r"(?<=[a-z])(?<!\bthe)(?<!\bden)(?<!\bam)(?<!\ble)(?<!\bel)(?<!\bil)(?<!\bevery)(?<!\balle)"
    r"(?<!\bon) (?=\d{1,2}$)"
)
"""The gap before an hour without "at", as in `weekdays 9`; "the 15" is a day."""
_ALONE = {
    "daily": "day",
    "taglich": "day",
    "quotidiennement": "day",
    "a diario": "day",
    "diariamente": "day",
    "quotidianamente": "day",
    "weekdays": "weekday",
    "on weekdays": "weekday",
    "werktags": "weekday",
    "an werktagen": "weekday",
    "en semaine": "weekday",
    "entre semana": "weekday",
    "nei giorni feriali": "weekday",
    "weekends": "weekend",
    "on weekends": "weekend",
    "hourly": "hour",
    "stundlich": "hour",
}
_UNTIL = re.compile(
    r"(?P<what>.+?),? (?:until|till|til|bis(?: zum| zur)?|jusqu'(?:au|a la|a|en)|hasta(?: el| la)?"
    r"|fino (?:al|alla|a))(?: the)? (?P<last>.+)"
)
_TIMES = re.compile(r"(?P<what>.+?),? (?:for )?(?P<count>\d{1,3}) ?(?:times|mal|fois|veces|volte)")
_HOUR_ALONE = re.compile(r"\d{1,2}(?:[:.h]\d{2})?(?: ?(?:uhr|h|am|pm|o'clock|heures?|ore))?")
_DAY = frozenset({"day", "morning", "tag", "jour", "jours", "dia", "dias", "giorno"})
_WEEKDAYS = frozenset(
    {"weekday", "weekdays", "workday", "working day", "business day", "werktag", "arbeitstag"}
)
_WEEKENDS = frozenset({"weekend", "weekends", "wochenende"})
_HOURS = re.compile(r"(?:(?P<count>\d{1,2}) )?(?:hours?|stunden?|heures?|horas?|ore|ora)")
_MONTHLY = re.compile(
    r"(?:month|monat|mois|mes|mese)(?: on)?(?: the| am| le| el| il)? "
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.|er)?"
    r"|(?P<day2>\d{1,2})(?:st|nd|rd|th|\.|er)?(?: day)?(?: of (?:the|each|every) month| des "
    r"monats| du mois)"
)
_AND = re.compile(r"\s*(?:,|&|\band\b|\bund\b|\bet\b|\by\b)\s*")
LAST_DAY_OF_ALL_MONTHS = 28


def read_repeat(text: str, default: time, now: datetime) -> str | None:
    """A phrase as a cron expression (five fields), or else as a rule (`bot.dates.rules`).

    None when it can't be read: nothing is guessed. `default` is the time of day where the phrase
    names none. `now` is local; a rule that skips weeks counts from its first time after it.
    """
    if (rule := read_icalendar(text, default, now)) is not None:
        return rule
    phrase = folded(text).strip(" .!")
    if not phrase or len(phrase) > LONGEST:
        return None
    return _ending(phrase, default, now) or _read(phrase, default, now)


def _ending(phrase: str, default: time, now: datetime) -> str | None:
    """A repetition that ends, as in `weekdays 9 until 31 May` or `every Monday, 5 times`."""
    times, until = _TIMES.fullmatch(phrase), _UNTIL.fullmatch(phrase)
    found = times or until
    if found is None or (often := _read(found["what"], default, now)) is None:
        return None
    rule = often if is_rule(often) else rule_of_cron(often, now)
    if rule is None:
        return None
    if times is not None:
        return ending_after(rule, int(times["count"]))
    last = read_day(found["last"], now.date()) if not _is_span(found) else None
    return ending_on(rule, last.day) if isinstance(last, Day) else None


def _is_span(found: re.Match[str]) -> bool:
    """Whether it may say hours of each day: `daily from 9 until 17`."""
    return _HOUR_ALONE.fullmatch(found["last"]) is not None


def _read(phrase: str, default: time, now: datetime) -> str | None:
    if (rule := read_rule(phrase, default, now)) is not None:
        return rule  # before its time, since "alle zwei" is an hour in Italian
    for said in dict.fromkeys((phrase, _BARE_HOUR.sub(" at ", phrase))):
        try:
            rest, clock = split_time(said)
        except ValueError:
            return None
        if (hours := _hours(rest, timed=clock is not None)) is not None:
            return hours or None
        at = clock.at if clock is not None else default
        if (days := _fields(rest, timed=clock is not None, today=now.date())) is not None:
            return f"{at.minute} {at.hour} {days}"
        if (rule := read_rule(rest, at, now)) is not None:
            return rule
    return None


def _hours(phrase: str, *, timed: bool) -> str | None:
    """The cron of hours; None for other phrases, "" for hours that no cron says."""
    often = _EVERY.match(phrase)
    said = phrase[often.end() :] if often is not None else _ALONE.get(phrase, "")
    hours = _HOURS.fullmatch(said)
    if hours is None:
        return None
    return "" if timed else _hourly(int(hours["count"] or 1)) or ""


def _fields(phrase: str, *, timed: bool, today: date) -> str | None:
    """The fields day, month and weekday of a phrase without its time."""
    if said := _ALONE.get(phrase):
        return _days(said)
    if yearly := _YEARLY.match(phrase):
        day = read_day(yearly["day"], today)
        return f"{day.day.day} {day.day.month} *" if isinstance(day, Day) else None
    if weekly := _WEEKLY.match(phrase) or _PLURAL.match(phrase):
        return _days(weekly["days"])
    if span := _RANGE.match(phrase):
        first, last = WEEKDAYS[span["first"]], WEEKDAYS[span["last"]]
        return f"* * {_CRON_DAYS[first]}-{_CRON_DAYS[last]}" if first < last else None
    often = _EVERY.match(phrase)
    if often is None:
        return None
    # The time is cut out of "every morning".
    said = phrase[often.end() :] or ("day" if timed else "")
    return _days(said) or _each_year(said, today)


def _each_year(said: str, today: date) -> str | None:
    """The fields of a day of the year, as in `every 3rd of May`."""
    day = read_day(said, today) if _IN_A_MONTH.fullmatch(said) else None
    return f"{day.day.day} {day.day.month} *" if isinstance(day, Day) else None


def spoken_repeat(cron: str, language: str = EN) -> str | None:
    """A cron expression or rule as words; None if too complex. `read_repeat` reads English ones."""
    if is_rule(cron):
        return spoken_rule(cron, language)
    words = words_of(language)
    minute, hour, day, month, weekday = cron.lower().split()
    if month != "*" or not minute.isdigit():
        return None
    if (day, weekday) == ("*", "*") and minute == "0" and not hour.isdigit():
        count = "1" if hour == "*" else hour.removeprefix("*/")
        if not count.isdigit():
            return None
        return words.hourly if count == "1" else words.hours.format(count=count)
    days = _spoken_days(day, weekday, language)
    if days is None or not hour.isdigit():
        return None
    return words.at.format(days=days, time=f"{int(hour):02}:{int(minute):02}")


def _spoken_days(day: str, weekday: str, language: str) -> str | None:
    words = words_of(language)
    if weekday == "*" and day == "*":
        return words.daily
    if weekday == "*":
        number = spoken_number(int(day), language) if day.isdigit() else ""
        return words.on_number.format(number=number) if number else None
    if day != "*":
        return None
    if weekday in {"mon-fri", "1-5"}:
        return words.on_weekdays
    names = [
        _CRON_NUMBERS.get(int(one), "") if one.isdigit() else one for one in weekday.split(",")
    ]
    if not all(name in _CRON_DAYS for name in names):
        return None
    return spoken_names([_CRON_DAYS.index(name) for name in names], language)


def _hourly(count: int) -> str | None:
    """Only counts that divide a day, because others would shift after midnight."""
    if not 1 <= count < 24 or 24 % count:
        return None
    return "0 * * * *" if count == 1 else f"0 */{count} * * *"


def _days(said: str) -> str | None:
    """The fields day, month and weekday."""
    if said in _DAY:
        return "* * *"
    if said in _WEEKDAYS:
        return "* * mon-fri"
    if said in _WEEKENDS:
        return "* * sat,sun"
    if monthly := _MONTHLY.fullmatch(said):
        day = int(monthly["day"] or monthly["day2"])
        return f"{day} * *" if 1 <= day <= LAST_DAY_OF_ALL_MONTHS else None
    found = [_weekday(name) for name in _AND.split(said)]
    numbers = sorted({number for number in found if number is not None})
    return None if None in found else f"* * {','.join(_CRON_DAYS[number] for number in numbers)}"


def _weekday(name: str) -> int | None:
    """The weekday, 0 for Monday; also of a plural (`mondays`)."""
    name = name.removeprefix("on ").removeprefix("los ").removeprefix("am ")
    return WEEKDAYS.get(name, WEEKDAYS.get(name.removesuffix("s")))
