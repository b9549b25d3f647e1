"""find_times: a time named in a sentence, such as `what did I say last week about tea`.

Of Chinese text days, weeks and months are found, such as 昨天, 下周, 上个月, 11月3日.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum, auto
from functools import lru_cache
from zoneinfo import ZoneInfo

from bot.dates.days import read_day
from bot.dates.past import Period, days_from, read_past, whole_unit
from bot.dates.phrases import LONGEST
from bot.dates.reading import Day
from bot.dates.vocabulary import FILLER, NAMED_DAYS, NEXT, NUMBERS, UNITS, WEEKDAYS, folded

LONGEST_TEXT = 1_000
_MOST_WORDS = 5
_WORD = re.compile(r"[^\s,;:!?()\"“”„]+")
_NAMED_TEXT = """
    today yesterday morning evening heute gestern vorgestern abend aujourd'hui hier avant-hier hoy
    ayer anteayer oggi ieri weekend wochenende january february march april june july august
    september october november december januar februar marz juni juli oktober dezember janvier
    fevrier avril juin juillet aout septembre octobre novembre decembre enero febrero abril junio
    julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio
    settembre ottobre dicembre
"""
_COMING = frozenset(name for name, days in NAMED_DAYS.items() if days and " " not in name)
_NAMED = frozenset(_NAMED_TEXT.split()) | _COMING | {name for name in WEEKDAYS if len(name) > 4}
_UNITS = frozenset(name for name in UNITS if len(name) > 2)
_DATE = re.compile(r"(?:19|20)\d\d(?:-\d\d-\d\d)?")
_POINTS = re.compile(
    rf"{NEXT}|last|past|previous|this|current|ago|letzte[rnsm]?|vergangene[rnsm]?|vorige[rnsm]?"
    r"|diese[rnsm]?|vor"
    r"|ce|cette|derni(?:er|ere)s?|il|hace|fa|est[ae]|pasad[oa]s?|quest[ao]|scors[oaie]"
    r"|ultim[oaie]s?|viene"
    r"|end|ende|fine?"
)
"""A unit (`week`) names a time only beside one of these."""
_BESIDE = re.compile(
    r"during|since|before|depuis|desde|afternoon|night|vormittag|nachmittag|matin|tarde|noche"
    r"|l'altro|[a-z']{1,4}\.?"
)
"""Other parts of a time: articles, prepositions (short in all five languages), parts of a day."""

_WHOLE = re.compile(
    rf"(?:the |die |der |das |la |le |el |il )?(?:{NEXT} (?P<unit>[a-z]+)|(?P<unit2>[a-z]+) "
    rf"(?:{NEXT}|que viene))"
)
_LONG = frozenset({"week", "month", "year"})
_DAYS = {"前天": -2, "昨天": -1, "今天": 0, "明天": 1, "后天": 2}
_MONTHS = {
    name: at
    for at, name in enumerate(
        ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"], 1
    )
}
_CHINESE = re.compile(
    r"(?P<day>前天|昨天|今天|明天|后天)|(?P<week>[上这本下])个?(?:周|星期|礼拜)|(?P<near>[上这本下])个?月"
    r"|(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:(?P<of>3[01]|[12]\d|[1-9])[日号])?"
)
_SHIFT = {"上": -1, "这": 0, "本": 0, "下": 1}


def read_coming(text: str, now: datetime, zone: ZoneInfo) -> Period | None:
    """The next period of that name from `now` on; None if none is clear (en, de, fr, es, it)."""
    if len(text) > LONGEST:
        return None
    phrase = folded(text)
    today = now.astimezone(zone).date()
    for said in dict.fromkeys((phrase, FILLER.sub("", f"{phrase} ").strip(" ,"))):
        match = _WHOLE.fullmatch(said)
        unit = UNITS.get(match["unit"] or match["unit2"]) if match else None
        try:
            if unit in _LONG:
                return whole_unit(
                    unit, whole_unit(unit, today, zone).end.astimezone(zone).date(), zone
                )
            day = read_day(said, today) if said else None
        except (ValueError, OverflowError):
            return None
        if isinstance(day, Day) and today <= day.day <= today + timedelta(days=366):
            return days_from(day.day, 1, zone)
    return None


@dataclass(frozen=True)
class Mention:
    """A time that a text names, and the text without the words for it."""

    periods: tuple[Period, ...]
    """`3 November` can be the last or the next one; the reader decides."""
    rest: str

    def is_at(self, at: datetime) -> bool:
        return any(one.start <= at < one.end for one in self.periods)

    def overlaps(self, other: "Mention") -> bool:
        return any(
            one.start < two.end and two.start < one.end
            for one in self.periods
            for two in other.periods
        )


def find_times(text: str, now: datetime, zone: ZoneInfo) -> Mention | None:
    """The first clear time in a text, past or future, in its longest words; None without one.

    `now`: when the text was said.
    """
    text = text[:LONGEST_TEXT]
    if (chinese := _find_chinese(text, now.astimezone(zone).date())) is not None:
        days, (begin, end) = chinese
        periods = tuple(days_from(first, count, zone) for first, count in days)
        return Mention(periods, f"{text[:begin]} {text[end:]}".strip())
    words = list(_WORD.finditer(text))
    roles = [_role(word[0]) for word in words]
    for length in range(min(_MOST_WORDS, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            if not _may_name(roles[at : at + length]):
                continue
            begin, end = words[at].start(), words[at + length - 1].end()
            if periods := _periods(text[begin:end].rstrip("."), now, zone):
                return Mention(periods, f"{text[:begin]} {text[end:]}".strip())
    return None


def _periods(phrase: str, now: datetime, zone: ZoneInfo) -> tuple[Period, ...]:
    past, coming = read_past(phrase, now, zone), read_coming(phrase, now, zone)
    return tuple(dict.fromkeys(one for one in (past, coming) if isinstance(one, Period)))


class _Role(Enum):
    """The role of a word in a phrase about time."""

    NAMES = auto()
    """`yesterday`, `March`, `2026`."""
    UNIT = auto()
    POINTS = auto()
    BESIDE = auto()
    NONE = auto()


@lru_cache(maxsize=8_192)
def _role(word: str) -> _Role:
    plain = folded(word.rstrip("."))
    if plain in _NAMED or _DATE.fullmatch(plain):
        return _Role.NAMES
    if plain in _UNITS:
        return _Role.UNIT
    if _POINTS.fullmatch(plain):
        return _Role.POINTS
    if plain in NUMBERS or plain in WEEKDAYS or plain[:1].isdecimal() or _BESIDE.fullmatch(plain):
        return _Role.BESIDE
    return _Role.NONE


def _may_name(roles: Sequence[_Role]) -> bool:
    """Whether some words are worth reading as a time, which takes milliseconds."""
    if _Role.NONE in roles:
        return False
    return _Role.NAMES in roles or (_Role.UNIT in roles and _Role.POINTS in roles)


def _find_chinese(text: str, today: date) -> tuple[list[tuple[date, int]], tuple[int, int]] | None:
    """Possible periods of the first such words, as (first day, days), and their position."""
    match = _CHINESE.search(text)
    if match is None:
        return None
    if match["day"]:
        found = [(today + timedelta(days=_DAYS[match["day"]]), 1)]
    elif match["week"]:
        monday = today - timedelta(days=today.weekday())
        found = [(monday + timedelta(days=7 * _SHIFT[match["week"]]), 7)]
    elif match["near"]:
        months = today.year * 12 + today.month - 1 + _SHIFT[match["near"]]
        found = [_month(months // 12, months % 12 + 1)]
    else:
        number = _MONTHS.get(match["month"]) or int(match["month"])
        found = [
            one
            for year in (-1, 0, 1)
            if (one := _named(today.year + year, number, match["of"])) is not None
        ]
        found = [one for one in found if abs((one[0] - today).days) <= 366]
    return found, match.span()


def _named(year: int, month: int, day: str | None) -> tuple[date, int] | None:
    if day is None:
        return _month(year, month)
    try:
        return date(year, month, int(day)), 1
    except ValueError:
        return None


def _month(year: int, month: int) -> tuple[date, int]:
    first = date(year, month, 1)
    return first, ((first + timedelta(days=31)).replace(day=1) - first).days
