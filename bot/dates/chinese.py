"""find_chinese: days, weeks and months in Chinese text, such as 昨天, 下周, 上个月, 11月3日."""

import re
from datetime import date, timedelta

_DAYS = {"前天": -2, "昨天": -1, "今天": 0, "明天": 1, "后天": 2}
_MONTHS = {
    name: at
    for at, name in enumerate(
        ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"], 1
    )
}
_NAMED = re.compile(
    r"(?P<day>前天|昨天|今天|明天|后天)|(?P<week>[上这本下])个?(?:周|星期|礼拜)|(?P<near>[上这本下])个?月"
    r"|(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:(?P<of>3[01]|[12]\d|[1-9])[日号])?"
)
_SHIFT = {"上": -1, "这": 0, "本": 0, "下": 1}


def find_chinese(text: str, today: date) -> tuple[list[tuple[date, int]], tuple[int, int]] | None:
    """Possible periods of the first such words, as (first day, days), and their position."""
    match = _NAMED.search(text)
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
