"""People's calendars: reading them and creating events."""

from bot.connectors.calendar.connector import CalendarConnector, calendar_accounts
from bot.connectors.calendar.events import CalendarAccount, CalendarEvent, in_window
from bot.connectors.calendar.tools import CalendarTools, GetCalendarArguments

__all__ = [
    "CalendarAccount",
    "CalendarConnector",
    "CalendarEvent",
    "CalendarTools",
    "GetCalendarArguments",
    "calendar_accounts",
    "in_window",
]
