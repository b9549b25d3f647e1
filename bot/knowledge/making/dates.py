"""Dates as a calendar file (RFC 5545), which every calendar opens."""

from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from bot.knowledge.making.orders import CantMake, DateEntry, FileOrder, MadeFile

_USUAL = timedelta(hours=1)


def made_ics(order: FileOrder) -> MadeFile:
    from icalendar import Calendar, Event  # noqa: PLC0415 - after the limits

    if not order.events:
        raise CantMake("an .ics needs events")
    calendar: Any = Calendar()
    calendar.add("prodid", "-//Bellhop//EN")
    calendar.add("version", "2.0")
    zone = ZoneInfo(order.zone)
    for number, one in enumerate(order.events):
        start, end = _span(one, zone)
        event: Any = Event()
        event.add("uid", sha256(f"{order.made_at}|{number}|{one}".encode()).hexdigest()[:32])
        event.add("dtstamp", datetime.fromisoformat(order.made_at))
        event.add("summary", one.title)
        event.add("dtstart", start)
        event.add("dtend", end)
        for name, text in (("location", one.place), ("description", one.notes)):
            if text:
                event.add(name, text)
        calendar.add_component(event)
    calendar.add_missing_timezones()
    return MadeFile(calendar.to_ical())


def _span(one: DateEntry, zone: ZoneInfo) -> tuple[date, date]:
    start = _moment(one.start, zone, one.title)
    whole_day = not isinstance(start, datetime)
    if not one.end:
        return start, start + (timedelta(days=1) if whole_day else _USUAL)
    end = _moment(one.end, zone, one.title)
    if whole_day != (not isinstance(end, datetime)):
        raise CantMake(f"{one.title}: start and end must both be days, or both have a time")
    if end < start:
        raise CantMake(f"{one.title}: it ends before it starts")
    # The last day is within: calendars name the one after it.
    return start, end + timedelta(days=1) if whole_day else end


def _moment(text: str, zone: ZoneInfo, title: str) -> date:
    try:
        if len(text) <= len("2026-12-01"):
            return date.fromisoformat(text)
        found = datetime.fromisoformat(text)
    except ValueError:
        raise CantMake(
            f"{title}: {text[:40]!r} is no date; write 2026-12-01T15:00, or 2026-12-01 for a day"
        ) from None
    return found if found.tzinfo is not None else found.replace(tzinfo=zone)
