"""Outlook's calendar: https://learn.microsoft.com/graph/api/resources/event."""

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
from bot.plugin.services import ServiceClient, ServiceRequest, by_address
from bot.plugin.tools import Person

_FIELDS = (
    "id,subject,start,end,location,attendees,isAllDay,isCancelled,responseStatus,createdDateTime,"
    "transactionId,showAs"
)
_IN_UTC = {"Prefer": 'outlook.timezone="UTC"'}
_PAGES = 5
_MOST_ADDED = _PAGES * MOST_EVENTS
"""The next look goes by time, so what one leaves out starts nothing."""


class _When(BaseModel):
    moment: datetime = Field(alias="dateTime")


class _Place(BaseModel):
    name: str | None = Field(default=None, alias="displayName")


class _Address(BaseModel):
    address: str | None = None


class _Attendee(BaseModel):
    email: Annotated[_Address, Field(alias="emailAddress")] = _Address()


class _Response(BaseModel):
    response: str | None = None


class _Event(BaseModel):
    id: str
    subject: str | None = None
    start: _When
    end: _When
    location: _Place = _Place()
    attendees: list[_Attendee] = []
    whole_day: Annotated[bool, Field(alias="isAllDay")] = False
    cancelled: Annotated[bool, Field(alias="isCancelled")] = False
    answer: Annotated[_Response, Field(alias="responseStatus")] = _Response()
    created: Annotated[datetime | None, Field(alias="createdDateTime")] = None
    shown_as: Annotated[str | None, Field(alias="showAs")] = None
    transaction: Annotated[str | None, Field(alias="transactionId")] = None


class OutlookCalendar:
    """Implements `CalendarAccount` for the default calendar of a person."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client

    async def events(
        self, person: Person, start: datetime, end: datetime, query: str = ""
    ) -> EventList:
        asked = {
            "startDateTime": _utc(start),
            "endDateTime": _utc(end),
            "$orderby": "start/dateTime",
        }
        found = await self._list(person, "/me/calendarView", asked)
        if not query:
            return found
        # A calendar view can't be searched, so this filters by the words.
        fitting = tuple(event for event in found.events if _holds(event, query))
        return EventList(fitting, found.cut, found.unreadable)

    async def create(self, person: Person, draft: EventDraft) -> MadeEvent:
        body = {
            "subject": draft.summary,
            "body": {"contentType": "text", "content": draft.description},
            "location": {"displayName": draft.location},
            "start": _when(draft.start),
            "end": _when(draft.end),
            "isAllDay": not isinstance(draft.start, datetime),
            "transactionId": draft.key,
        }
        # The service makes one event per transactionId, and answers a repetition with that event.
        request = ServiceRequest("POST", "/me/events", body=body, idempotency_key=draft.key)
        made = await self._client.call(person, request)
        return MadeEvent(str(made["id"]), str(made["webLink"] or ""))

    async def added(self, person: Person, since: datetime) -> Sequence[CalendarEvent]:
        asked = {"$filter": f"createdDateTime ge {_utc(since)}", "$orderby": "createdDateTime"}
        return (await self._list(person, "/me/events", asked, _MOST_ADDED)).events

    async def _list(
        self, person: Person, path: str, asked: Mapping[str, str], most: int = MOST_EVENTS
    ) -> EventList:
        query: dict[str, str | int | bool] = {**asked, "$select": _FIELDS, "$top": MOST_EVENTS}
        found: list[CalendarEvent] = []
        unreadable, more = 0, False
        request = ServiceRequest("GET", path, query, headers=_IN_UTC)
        async for page in self._client.pages(
            person, request, by_address("@odata.nextLink"), _PAGES
        ):
            items, bad = read_items(_Event, page["value"])
            found += [_read(item) for item in items if not item.cancelled]
            unreadable += bad
            more = bool(page["@odata.nextLink"])
            if len(found) >= most:
                break
        return EventList(tuple(found[:most]), more or len(found) > most, unreadable)


def _read(item: _Event) -> CalendarEvent:
    start, end = aware(item.start.moment), aware(item.end.moment)
    return CalendarEvent(
        item.id,
        item.subject or "",
        start.date() if item.whole_day else start,
        end.date() if item.whole_day else end,
        item.location.name or "",
        tuple(one.email.address for one in item.attendees if one.email.address),
        item.answer.response == "declined",
        aware(item.created) if item.created else None,
        (item.transaction or "").startswith(OWN),
        item.shown_as == "free",
    )


def _holds(event: CalendarEvent, query: str) -> bool:
    said = " ".join((event.summary, event.location, *event.attendees)).casefold()
    return all(word in said for word in query.casefold().split())


def _when(moment: datetime | date) -> dict[str, Any]:
    if isinstance(moment, datetime):
        return {"dateTime": moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S"), "timeZone": "UTC"}
    return {"dateTime": f"{moment.isoformat()}T00:00:00", "timeZone": "UTC"}


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
