"""People's calendars: reading them and creating events."""

from bot.connectors.calendar.connector import CalendarConnector, calendar_accounts
from bot.connectors.calendar.events import (
    CalendarAccount,
    CalendarEvent,
    EventDraft,
    event_key,
    in_window,
    spoken_span,
)
from bot.connectors.calendar.tools import CalendarTools, GetCalendarArguments

__all__ = [
    "CalendarAccount",
    "CalendarConnector",
    "CalendarEvent",
    "CalendarTools",
    "EventDraft",
    "GetCalendarArguments",
    "calendar_accounts",
    "event_key",
    "in_window",
    "spoken_span",
]
