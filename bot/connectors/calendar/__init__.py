"""The calendar of a person: what only makes sense once it is connected."""

from bot.connectors.calendar.connector import CalendarConnector

__all__ = ["CalendarConnector"]
