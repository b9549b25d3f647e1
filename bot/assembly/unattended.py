"""Builds what works while its person is away: reminders, waits for a connection, bookings."""

from dataclasses import dataclass

from bot.assembly.house import House
from bot.assembly.plugged import kept_elsewhere
from bot.endpoints.settings import ConsoleSettings
from bot.sessions.settings import BookingSettings
from bot.sessions.unattended.bookings import Bookings
from bot.sessions.unattended.connections import ConnectionWaits, LapseNotices
from bot.sessions.unattended.member_reminders import MemberReminders
from bot.sessions.unattended.poll_ends import PollEnds


@dataclass(frozen=True)
class Unattended:
    """What comes due, or is answered elsewhere, for one app."""

    reminders: MemberReminders
    waits: ConnectionWaits
    """Messages that wait until their person has connected a service."""
    bookings: Bookings
    polls: PollEnds


def build_unattended(house: House) -> Unattended:
    """Put it together; connections that come and go are told to whom they concern."""
    ground, accounts = house.ground, house.accounts
    waits = ConnectionWaits(ground.database, ground.clock, ground.engine, accounts.connections)
    accounts.connecting.on_connected.append(waits.connected)
    lapses = LapseNotices(house.places, house.chats.outbox, ground.clock)
    accounts.connections.on_lapse.append(lapses)
    reminders = MemberReminders(
        ground.database,
        house.people,
        house.channels,
    )
    polls = PollEnds(
        ground.database,
        ground.clock,
        house.chats.by_platform,
        house.watching,
        ground.engine.rescheduled,
    )
    return Unattended(reminders, waits, _bookings(house), polls)


def _bookings(house: House) -> Bookings:
    """Pages on which strangers book people's free times.

    Where nobody can have a calendar there are none, and no page either.
    """
    ground, accounts = house.ground, house.accounts
    console = ground.settings.get(ConsoleSettings)
    booking = ground.settings.get(BookingSettings)
    calendars = kept_elsewhere(house.plugged, accounts.connections.usable).calendars
    return Bookings(
        ground.database,
        ground.clock,
        accounts.keys,
        ground.exclusive,
        accounts.connections,
        calendars if calendars.services else None,
        house.people,
        house.places,
        house.chats.outbox,
        console.public_url if console.port and booking.enabled else "",
    )
