"""Calendar events, independent of the service that keeps them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Protocol

from bot.connectors.accounts import aware, plain_line, shown_time
from bot.dates.reading import Day, Moment
from bot.domain.access import Person
from bot.domain.languages import Language, Phrase

MOST_EVENTS = 100
"""Events of one calendar in one answer."""
OWN = "bellhop"
"""The prefix of the ids of events that Bellhop made."""
TITLE_CHARS, PLACE_CHARS, MOST_ATTENDEES = 200, 300, 20


@dataclass(frozen=True)
class CalendarEvent:
    """One event, or one time of a series.

    A whole day has days as `start` and `end`; `end` is the day after it.
    """

    id: str
    summary: str
    start: datetime | date
    end: datetime | date
    location: str = ""
    attendees: tuple[str, ...] = ()
    """Addresses."""
    declined: bool = False
    """Whether the owner of the calendar said no."""
    created: datetime | None = None
    own: bool = False
    """Whether Bellhop made it."""
    free: bool = False
    """Whether its owner counts as free meanwhile."""

    @property
    def whole_day(self) -> bool:
        return not isinstance(self.start, datetime)

    @property
    def order(self) -> datetime:
        if isinstance(self.start, datetime):
            return self.start
        return datetime(self.start.year, self.start.month, self.start.day, tzinfo=UTC)

    def told(self, timezone: str) -> dict[str, Any]:
        """The event as a tool shows it, with times in the person's zone."""
        told: dict[str, Any] = {
            "id": self.id,
            "summary": plain_line(self.summary, TITLE_CHARS) or "(no title)",
            "start": shown_time(self.start, timezone),
            "end": shown_time(self.end, timezone),
            "location": plain_line(self.location, PLACE_CHARS),
            "attendees": [plain_line(one, 100) for one in self.attendees[:MOST_ATTENDEES]],
        }
        if len(self.attendees) > MOST_ATTENDEES:
            told["more_attendees"] = len(self.attendees) - MOST_ATTENDEES
        return {**told, "declined": True} if self.declined else told


@dataclass(frozen=True)
class EventList:
    """Events ordered by their start. `cut`: there are more; `unreadable`: the number left out."""

    events: tuple[CalendarEvent, ...]
    cut: bool = False
    unreadable: int = 0


@dataclass(frozen=True)
class EventDraft:
    """An event to be created. `key` identifies it for good: a repeated call makes no second one."""

    summary: str
    start: datetime | date
    end: datetime | date
    timezone: str
    description: str
    location: str
    key: str


@dataclass(frozen=True)
class MadeEvent:
    id: str
    link: str


class CalendarAccount(Protocol):
    """A person's own calendar at one service.

    Every call raises ToolError in words for the model.
    """

    async def events(
        self, person: Person, start: datetime, end: datetime, query: str = ""
    ) -> EventList:
        """Events that overlap [start, end), at most MOST_EVENTS."""
        ...

    async def create(self, person: Person, draft: EventDraft) -> MadeEvent: ...

    async def added(self, person: Person, since: datetime) -> Sequence[CalendarEvent]:
        """Events added since a moment, oldest first, a series once; a few hundred at most."""
        ...


def event_key(*parts: str) -> str:
    """The id of the event that a call makes: the same after a crash, too."""
    seed = "\0".join(("event", *parts))
    return OWN + hashlib.sha256(seed.encode("utf-8", "replace")).hexdigest()[:32]


def spoken_span(
    start: datetime | date,
    end: datetime | date,
    timezone: str,
    language: Language = Language.EN,
) -> str:
    """`Friday 27 November 2026, 15:00 (Europe/Berlin), until 16:00`; days without a time."""
    until = Phrase("until").said(language)
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        last = end - timedelta(days=1)
        whole = Day(start).spoken(language)
        return whole if last == start else f"{whole} {until} {Day(last).spoken(language)}"
    first, then = Moment(start.astimezone(UTC), timezone), Moment(end.astimezone(UTC), timezone)
    same = first.local.date() == then.local.date()
    end_at = f"{then.local:%H:%M}" if same else then.spoken(language)
    return f"{first.spoken(language)}, {until} {end_at}"


def in_window(event: CalendarEvent, start: datetime, end: datetime) -> bool:
    """Whether the event starts at a time of day in [start, end)."""
    return isinstance(event.start, datetime) and start <= aware(event.start) < end
