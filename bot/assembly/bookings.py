"""Builds the pages on which strangers book people's free times."""

from bot.assembly.house import House
from bot.connectors.accounts import MAIL_AND_CALENDAR
from bot.console.settings import ConsoleSettings
from bot.sessions.approvals.cards import CardPlaces
from bot.sessions.settings import BookingSettings
from bot.sessions.unattended.bookings import Bookings


def build_bookings(house: House, places: CardPlaces) -> Bookings:
    """Where nobody can have a calendar there are none, and no page either."""
    ground, accounts = house.ground, house.accounts
    console = ground.settings.get(ConsoleSettings)
    calendars = None
    if not accounts.clients.keys().isdisjoint(MAIL_AND_CALENDAR):
        from bot.connectors.calendar import CalendarConnector  # noqa: PLC0415 - as connectors do

        found = [one.accounts for one in house.connectors if isinstance(one, CalendarConnector)]
        calendars = found[0] if found else None
    return Bookings(
        ground.database,
        ground.clock,
        accounts.keys,
        ground.exclusive,
        accounts.connections,
        calendars,
        house.people,
        places,
        house.chats.outbox,
        ground.settings.get(BookingSettings),
        console.public_url if console.port else "",
    )
