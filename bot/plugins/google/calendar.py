"""Google Calendar: https://developers.google.com/workspace/calendar/api/v3/reference/events."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field

from bot.plugin.accounts import (
    MOST_EVENTS,
    OWN,
    CalendarEvent,
    EventDraft,
    EventList,
    MadeEvent,
    aware,
    read_items,
)
from bot.plugin.services import ServiceClient, ServiceRefused, ServiceRequest, by_token
from bot.plugin.tools import Person, ToolError

_EVENTS = "/calendar/v3/calendars/primary/events"
_FIELDS = (
    "nextPageToken,items(id,status,transparency,summary,location,start,end,created,recurringEventId,"
    "attendees(email,self,responseStatus))"
)
_PAGES = 5
_MOST_ADDED = _PAGES * MOST_EVENTS
"""The next look goes by time, so what one leaves out starts nothing."""
_CONFLICT, _GONE = 409, 410


class _When(BaseModel):
    day: date | None = Field(default=None, alias="date")
    moment: datetime | None = Field(default=None, alias="dateTime")


class _Attendee(BaseModel):
    email: str = ""
    owner: bool = Field(default=False, alias="self")
    answer: str = Field(default="", alias="responseStatus")


class _Event(BaseModel):
    id: str
    status: str = ""
    transparency: str = ""
    summary: str = ""
    location: str = ""
    start: _When
    end: _When
    created: datetime | None = None
    series: Annotated[str, Field(alias="recurringEventId")] = ""
    attendees: list[_Attendee] = []


class GoogleCalendar:
    """Implements `CalendarAccount` for the primary calendar of a person."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client

    async def events(
        self, person: Person, start: datetime, end: datetime, query: str = ""
    ) -> EventList:
        asked: dict[str, str | int | bool] = {
            "timeMin": _utc(start),
            "timeMax": _utc(end),
            "singleEvents": True,
            "orderBy": "startTime",
        }
        return await self._list(person, {**asked, "q": query} if query else asked)

    async def create(self, person: Person, draft: EventDraft) -> MadeEvent:
        body = {
            "id": draft.key,
            "summary": draft.summary,
            "description": draft.description,
            "location": draft.location,
            "start": _when(draft.start, draft.timezone),
            "end": _when(draft.end, draft.timezone),
        }
        # The id makes a repetition harmless: the second one is refused as a conflict.
        request = ServiceRequest("POST", _EVENTS, body=body, idempotency_key=draft.key)
        try:
            made = await self._client.call(person, request)
        except ServiceRefused as refusal:
            if refusal.status != _CONFLICT:
                raise
            made = await self._client.get(person, f"{_EVENTS}/{draft.key}")
            if made["status"] == "cancelled":
                raise ToolError(
                    "the event was made before and deleted since; it was not made again"
                ) from refusal
        return MadeEvent(str(made["id"]), str(made["htmlLink"] or ""))

    async def added(self, person: Person, since: datetime) -> Sequence[CalendarEvent]:
        try:
            found = await self._list(
                person,
                {"updatedMin": _utc(since), "orderBy": "updated", "showDeleted": False},
                _MOST_ADDED,
            )
        except ServiceRefused as refusal:
            if refusal.status == _GONE:  # the moment is too long ago for the service
                return ()
            raise
        return [one for one in found.events if one.created is not None and one.created >= since]

    async def _list(
        self, person: Person, asked: Mapping[str, str | int | bool], most: int = MOST_EVENTS
    ) -> EventList:
        request = ServiceRequest(
            "GET", _EVENTS, {**asked, "maxResults": MOST_EVENTS, "fields": _FIELDS}
        )
        found: list[CalendarEvent] = []
        unreadable, more = 0, False
        async for page in self._client.pages(
            person, request, by_token("pageToken", "nextPageToken"), _PAGES
        ):
            items, bad = read_items(_Event, page["items"])
            read = [_read(item) for item in items if item.status != "cancelled"]
            found += [event for event in read if event is not None]
            unreadable += bad + read.count(None)
            more = bool(page["nextPageToken"])
            if len(found) >= most:
                break
        return EventList(tuple(found[:most]), more or len(found) > most, unreadable)


def _read(item: _Event) -> CalendarEvent | None:
    start = aware(item.start.moment) if item.start.moment else item.start.day
    end = aware(item.end.moment) if item.end.moment else item.end.day
    if start is None or end is None:
        return None
    return CalendarEvent(
        item.id,
        item.summary,
        start,
        end,
        item.location,
        tuple(one.email for one in item.attendees if one.email),
        any(one.owner and one.answer == "declined" for one in item.attendees),
        aware(item.created) if item.created else None,
        item.id.startswith(OWN),
        item.transparency == "transparent",
    )


def _when(moment: datetime | date, timezone: str) -> dict[str, Any]:
    if isinstance(moment, datetime):
        return {"dateTime": moment.isoformat(timespec="seconds"), "timeZone": timezone}
    return {"date": moment.isoformat()}


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
