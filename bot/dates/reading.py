"""Results of reading a phrase about time: a day, a moment, or a question."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeAlias
from zoneinfo import ZoneInfo

from bot.dates.spoken import EN, spoken_day

_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Day:
    """A day without a time."""

    day: date

    @property
    def written(self) -> str:
        """`2026-11-27`."""
        return self.day.isoformat()

    def spoken(self, language: str = EN) -> str:
        """`Friday 27 November 2026`."""
        return spoken_day(self.day, language)


@dataclass(frozen=True)
class Moment:
    """A minute of a day on the clocks of a zone.

    `shifted`: the clocks skip the time that was named, so this is the next one that they show.
    """

    at: datetime
    """In UTC."""
    zone: str
    shifted: bool = False

    @property
    def local(self) -> datetime:
        return self.at.astimezone(ZoneInfo(self.zone))

    @property
    def written(self) -> str:
        """`2026-11-27T15:00+01:00`."""
        return self.local.isoformat(timespec="minutes")

    def spoken(self, language: str = EN) -> str:
        """`Friday 27 November 2026, 15:00 (Europe/Berlin)`."""
        note = "; the clocks skip the time that was named" if self.shifted else ""
        return f"{spoken_day(self.local, language)}, {self.local:%H:%M} ({self.zone}{note})"


@dataclass(frozen=True)
class Unclear:
    """An unclear phrase. `why` completes "`<the phrase>` …"; `choices` are its meanings."""

    why: str
    choices: tuple[Day | Moment, ...] = ()
    named: bool = True
    """Whether the phrase is about time at all."""

    def told(self, phrase: str) -> str:
        """A sentence for the author of the phrase, with its possible meanings."""
        said = f"{phrase[:40]!r} {self.why}"
        if not self.choices:
            return said
        choices = " or ".join(f"{one.written} ({one.spoken()})" for one in self.choices)
        return f"{said}: {choices}. Ask the person which one, unless they have said it."


Reading: TypeAlias = Day | Moment | Unclear


def on_clocks(day: date, clock: time, zone: ZoneInfo) -> Moment:
    """The first moment when clocks in `zone` show this time, or the next minute that exists.

    Raises OverflowError at the ends of the calendar.
    """
    named = wanted = datetime.combine(day, clock.replace(tzinfo=None))
    while True:
        moment = wanted.replace(tzinfo=zone, fold=0).astimezone(UTC)
        if moment.astimezone(zone).replace(tzinfo=None) == wanted:
            return Moment(moment, zone.key, shifted=wanted != named)
        wanted = (wanted + _MINUTE).replace(second=0, microsecond=0)
