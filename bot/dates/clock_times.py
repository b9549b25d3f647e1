"""Times of day in a phrase: `at 9`, `15:30`, `3 pm`, `um halb neun`, `à 9h30`, `noon`."""

import re
from dataclasses import dataclass
from datetime import time

from bot.dates.vocabulary import NAMED_DAYS, NUMBERS, PARTS_OF_DAY, TODAY_PARTS, compiled

_PART = "|".join(sorted(map(re.escape, PARTS_OF_DAY), key=len, reverse=True))
_AT = r"(?:at|@|um|gegen|a las|a la|alle|a|around|about|by|,)"
_HALF = r"(?P<half>a\.?m\.?|p\.?m\.?)"
_SUFFIX = rf"(?:{_HALF}|(?P<word>o'clock|uhr|h|heures?|horas?|ore))"
_SPOKEN_HOUR = "|".join(
    name
    for name, number in NUMBERS.items()
    if number == int(number) and 1 <= number <= 12 and len(name) > 2
)
_BEFORE_HOUR = r"(?:(?<=at |um |as )|(?<=alle )|(?<=a la )|(?<= a ))"
"""A spoken number is an hour only after these words, because French "sept" is also September."""
_AFTER_HOUR = {
    "et demie": 30,
    "et quart": 15,
    "moins le quart": -15,
    "y media": 30,
    "y cuarto": 15,
    "menos cuarto": -15,
    "e mezza": 30,
    "e mezzo": 30,
    "e un quarto": 15,
    "meno un quarto": -15,
}
"""Minutes that French, Spanish and Italian say behind the hour: `neuf heures et demie`."""
_PLUS = "|".join(_AFTER_HOUR)
_NUMBERED = (
    rf"(?:(?P<at>{_AT})\s*)?(?P<hour>\d{{1,2}}|{_BEFORE_HOUR}(?:{_SPOKEN_HOUR}))"
    r"(?:(?::|\.(?=\d\d(?:\s|$|[ap]\.?m))| ?h ?(?=\d\d)| uhr (?=\d))(?P<minute>\d{2})"
    rf"(?::\d\d)?)?"
    rf"(?:\s*{_SUFFIX})?(?: (?P<plus>{_PLUS}))?(?:,? (?P<part>{_PART}))?"
)
_SAID = (
    rf"(?:at |um )?(?P<of>half past|quarter past|quarter to|halb|viertel nach|viertel vor)"
    rf" (?P<near>\d{{1,2}}|{_SPOKEN_HOUR})(?: {_HALF.replace('half', 'half2')})?(?:,? "
    rf"(?P<part2>{_PART}))?"
)
_BY_THE_END = re.compile(
    r"^(?:by|before|bis|vor|entro|antes de|avant) (?=(?:the )?(?:eod|cob|eob|end|close|feierabend"
    r"|fin|final|fine) ?)"
)
_TIME = rf"(?:{_SAID}|{_NUMBERED}|(?P<alone>{_PART}))"
_LAST = rf"(?:^|(?<=[\s,t])){_TIME}$"
_FIRST = rf"^{_TIME}(?=[\s,]|$)"
_MINUTES = {
    "half past": 30,
    "quarter past": 15,
    "viertel nach": 15,
    "quarter to": -15,
    "viertel vor": -15,
    "halb": -30,
}


@dataclass(frozen=True)
class ClockTime:
    """A time of day. `sure`: morning or evening was said, or can't be meant otherwise."""

    at: time
    sure: bool


def split_time(phrase: str) -> tuple[str, ClockTime | None]:
    """A folded phrase without its time of day, and that time.

    Raises ValueError for a time that no clock shows ("25:00").
    """
    phrase = _BY_THE_END.sub("", phrase)
    for said, hour in TODAY_PARTS.items():
        if phrase == said:
            return "today", ClockTime(time(hour), sure=True)
        if phrase.startswith(f"{said} "):
            rest, clock = split_time(phrase.removeprefix(said).strip())
            if not rest and clock is not None:
                late = clock.at.hour + 12 if hour > 12 and clock.at.hour < 12 else clock.at.hour
                return "today", ClockTime(clock.at.replace(hour=late), sure=True)
    for pattern in (_LAST, _FIRST):
        for match in compiled(pattern).finditer(phrase):
            if _means_time(match, phrase):
                rest = f"{phrase[: match.start()]} {phrase[match.end() :]}".strip(" ,")
                return _with_part(rest, _clock_time(match))
    return phrase, None


def _with_part(rest: str, clock: ClockTime) -> tuple[str, ClockTime]:
    """Choose the half of the day by a part of the day beside the time (`monday evening`)."""
    match = re.search(rf"(?:^| )(?P<part>{_PART})$", rest)
    if match is None:
        return rest, clock
    if clock.sure:  # `vendredi soir à 20h`; a part that does not fit stays, and is asked about
        fits = (clock.at.hour >= 12) == (PARTS_OF_DAY[match["part"]] >= 12)
        return (rest[: match.start()] if fits else rest), clock
    return rest[: match.start()], _of_half(clock.at.hour, clock.at.minute, None, match["part"])


def _means_time(match: re.Match[str], phrase: str) -> bool:
    """Whether a bare number is a time: it is in "tomorrow 9", but "friday 13" is a date."""
    if match["alone"] or match["of"]:
        return True
    marked = any(match[name] for name in ("minute", "half", "word", "part", "at", "plus"))
    if match["minute"] and "." in match[0] and not any(map(match.group, ("at", "word", "half"))):
        return False  # `5.12` is a date
    return marked or match[0] == phrase or phrase[: match.start()].strip() in NAMED_DAYS


def _clock_time(match: re.Match[str]) -> ClockTime:
    if part := match["alone"]:
        return ClockTime(time(PARTS_OF_DAY[part]), sure=True)
    if match["of"]:
        near = match["near"]
        hour = int(near) if near.isdigit() else int(NUMBERS[near])
        minutes = hour * 60 + _MINUTES[match["of"]]
        return _of_half(minutes // 60, minutes % 60, match["half2"], match["part2"])
    hour = int(NUMBERS.get(match["hour"], 0)) or int(match["hour"])
    minutes = hour * 60 + int(match["minute"] or _AFTER_HOUR.get(match["plus"] or "", 0))
    return _of_half(minutes // 60, minutes % 60, match["half"], match["part"])


def _of_half(hour: int, minute: int, half: str | None, part: str | None) -> ClockTime:
    late = (half or "").startswith("p") or (part is not None and PARTS_OF_DAY[part] >= 12)
    early = (half or "").startswith("a") or (part is not None and PARTS_OF_DAY[part] < 12)
    if half and not 1 <= hour <= 12:
        raise ValueError(f"{hour} {half} is no time of day")
    if late and hour < 12:
        hour += 12
    elif early and hour == 12:
        hour = 0
    return ClockTime(time(hour, minute), sure=late or early or hour > 12 or hour == 0)
