"""Tools over the calendars that people connected."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import Field

from bot.plugin.accounts import (
    MOST_EVENTS,
    AccountsConnector,
    CalendarAccount,
    EventDraft,
    EventList,
    PersonAccounts,
    event_key,
    external,
    outside,
    spoken_span,
)
from bot.plugin.dates import zone
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tools import (
    MARK,
    Language,
    NativeTool,
    Noun,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolResult,
    Translations,
    titled,
)


def read_start_and_end(
    start: str, end: str, timezone: str
) -> tuple[datetime | date, datetime | date]:
    """The times of a draft. Raises ToolError naming the field and the remedy."""
    first, last = _read(start, "startTime", timezone), _read(end, "endTime", timezone)
    if isinstance(first, datetime) != isinstance(last, datetime):
        raise ToolError(
            "startTime and endTime: give both with a time, or both as days (2026-12-04)"
        )
    if last <= first:
        more = "" if isinstance(first, datetime) else "; the end of a whole day is the day after it"
        raise ToolError(f"endTime must be after startTime{more}")
    return first, last


def window_of(
    days: int, start: str, end: str, now: datetime, timezone: str
) -> tuple[datetime, datetime]:
    """From `start` (default: now) to `days` later. Raises ToolError."""
    first = read_time(start, "start", timezone) if start else now
    last = read_time(end, "end", timezone) if end else first + timedelta(days=days)
    if last <= first:
        raise ToolError("end must be after start")
    if last - first > timedelta(days=370):
        raise ToolError("start and end must be at most a year apart; look at a part of it")
    return first, last


def read_time(text: str, field: str, timezone: str) -> datetime:
    """A moment; a day counts from midnight in the person's zone. Raises ToolError."""
    found = _read(text, field, timezone)
    return (
        found
        if isinstance(found, datetime)
        else _there(datetime.combine(found, datetime.min.time()), field, timezone)
    )


def _read(text: str, field: str, timezone: str) -> datetime | date:
    try:
        if len(text) == len("2026-12-04"):
            return date.fromisoformat(text)
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ToolError(
            f"{field}: {text[:40]!r} is no ISO time; write 2026-12-04T15:00 (the person's zone), "
            "or with an offset"
        ) from None
    if not 1970 <= found.year <= 2200:
        raise ToolError(f"{field}: the year {found.year} is out of range")
    return found if found.tzinfo is not None else _there(found, field, timezone)


def _there(clock: datetime, field: str, timezone: str) -> datetime:
    moment = clock.replace(tzinfo=zone(timezone))
    if moment.astimezone(UTC).astimezone(moment.tzinfo).replace(tzinfo=None) != clock:
        raise ToolError(
            f"{field}: clocks in {timezone} skip {clock:%H:%M} on {clock:%Y-%m-%d}; take another "
            "time"
        )
    return moment


_LOOKING = Phrase("Looking at the calendar")
_PUTTING = Phrase("Putting it into the calendar")
_PUT = Phrase("put {title} into their own calendar ({account}): {when}{where}")

MOST_DAYS = 90


class ReadCalendarArguments(ToolArguments):
    """The coming days."""

    days: int = Field(default=7, ge=1, le=MOST_DAYS)
    account: str | None = Field(default=None, max_length=60, description="Only this one.")


class CreateEventArguments(ToolArguments):
    """One event without invitations."""

    summary: str = Field(min_length=1, max_length=300)
    startTime: str = Field(min_length=1, max_length=40, description="ISO; a day alone: whole day.")  # noqa: N815
    endTime: str = Field(min_length=1, max_length=40)  # noqa: N815
    description: str = Field(default="", max_length=8_000)
    location: str = Field(default="", max_length=500)
    account: str | None = Field(
        default=None,
        max_length=60,
        description="Where several are connected.",
        # Both are the person's own, so a call acts on nobody else.
        json_schema_extra={MARK: False},
    )


class GetCalendarArguments(ToolArguments):
    """A period of time, or words to search for."""

    days: int = Field(default=7, ge=1, le=370)
    # A default that the schema doesn't name is shown in the prompt's line of the tool.
    start: str = Field(
        default_factory=str, max_length=40, description="ISO day or time; default now."
    )
    end: str = Field(default_factory=str, max_length=40)
    query: str = Field(default_factory=str, max_length=200, description="Words of the events.")


class CalendarTools:
    """The tools over the calendars that a person connected."""

    def __init__(self, accounts: PersonAccounts[CalendarAccount]) -> None:
        self.accounts = accounts

    def tools(self) -> tuple[NativeTool[Any], ...]:
        return (
            NativeTool("read_calendar", ReadCalendarArguments, self._read, doing=_LOOKING),
            NativeTool(
                "create_event",
                CreateEventArguments,
                self._create,
                acts=True,
                repeatable=True,
                check=self._check,
                tells=self._tell,
                doing=_PUTTING,
                deed=ToolDeed(Noun.EVENT, "summary"),
            ),
            NativeTool(
                "get_calendar", GetCalendarArguments, self.look, reserved=True, doing=_LOOKING
            ),
        )

    async def look(self, context: ToolContext, given: GetCalendarArguments) -> ToolResult:
        """get_calendar. Raises ToolError."""
        start, end = window_of(given.days, given.start, given.end, context.now, context.timezone)
        return await self._between(context, start, end, given.query, None)

    async def _read(self, context: ToolContext, given: ReadCalendarArguments) -> ToolResult:
        start, end = window_of(given.days, "", "", context.now, context.timezone)
        return await self._between(context, start, end, "", given.account)

    async def _between(
        self, context: ToolContext, start: datetime, end: datetime, query: str, named: str | None
    ) -> ToolResult:
        person = context.person
        found = await self.accounts.gather(
            person, named, lambda one: one.events(person, start, end, query)
        )
        several = len(self.accounts.usable(person)) > 1
        events = [
            (event, name) for name, listed in found.by_service.items() for event in listed.events
        ]
        events.sort(key=lambda one: one[0].order)
        told = [
            {**event.told(context.timezone), "account": name}
            if several
            else event.told(context.timezone)
            for event, name in events[:MOST_EVENTS]
        ]
        cut = len(events) > MOST_EVENTS or any(listed.cut for listed in found.by_service.values())
        notes = [*found.troubles, *_notes(found.by_service.values(), cut=cut)]
        return external(context, told, notes, "event" if len(told) == 1 else "events")

    async def _check(self, context: ToolContext, given: CreateEventArguments) -> None:
        read_start_and_end(given.startTime, given.endTime, context.timezone)
        self.accounts.one(context.person, given.account)

    async def _tell(self, context: ToolContext, given: CreateEventArguments) -> Translations:
        start, end = read_start_and_end(given.startTime, given.endTime, context.timezone)
        name, _ = self.accounts.one(context.person, given.account)
        where = f", {titled(given.location)}" if given.location else ""

        def said(language: Language) -> str:
            when = spoken_span(start, end, context.timezone, language)
            title = titled(given.summary)
            return _PUT.said(language, title=title, account=name, when=when, where=where)

        return Translations.by(said)

    async def _create(self, context: ToolContext, given: CreateEventArguments) -> ToolResult:
        start, end = read_start_and_end(given.startTime, given.endTime, context.timezone)
        name, account = self.accounts.one(context.person, given.account)
        key = event_key(context.session_id, context.cycle_id, context.call.key)
        draft = EventDraft(
            given.summary, start, end, context.timezone, given.description, given.location, key
        )
        made = await account.create(context.person, draft)
        told = json.dumps(
            {"id": made.id, "htmlLink": made.link, "account": name}, ensure_ascii=False
        )
        return ToolResult(
            told, origin=outside(context), private=True, summary=f"event: {given.summary[:60]}"
        )


def _notes(lists: Any, *, cut: bool) -> list[str]:
    notes: list[str] = []
    if cut:
        notes.append(f"[more than {MOST_EVENTS} events; ask for fewer days]")
    unreadable = sum(listed.unreadable for listed in lists if isinstance(listed, EventList))
    if unreadable:
        notes.append(
            f"[{unreadable} could not be read and {'is' if unreadable == 1 else 'are'} left out]"
        )
    return notes


class CalendarConnector(AccountsConnector[CalendarAccount]):
    """For people who connected a calendar. Ships the skill for writing events."""

    id = "calendar"
    skills = Path(__file__).parent / "skills"

    def __init__(self, accounts: PersonAccounts[CalendarAccount]) -> None:
        super().__init__(accounts, *CalendarTools(accounts).tools())


class CalendarsPlugin(Plugin[NoSettings]):
    name = "calendars"
    title = "reading people's calendars, and creating events in them"
    skills_with = "calendar"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(CalendarConnector(given.calendars),))
