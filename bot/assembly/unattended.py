"""Builds what works while its person is away: reminders, waits for a connection."""

from dataclasses import dataclass

from bot.assembly.house import House
from bot.sessions.unattended.connections import ConnectionWaits, LapseNotices
from bot.sessions.unattended.reminders import MemberReminders


@dataclass(frozen=True)
class Unattended:
    """What comes due, or is answered elsewhere, for one app."""

    reminders: MemberReminders
    waits: ConnectionWaits
    """Messages that wait until their person has connected a service."""


def build_unattended(house: House) -> Unattended:
    """Put it together; connections that come and go are told to whom they concern."""
    ground, accounts = house.ground, house.accounts
    waits = ConnectionWaits(ground.database, ground.clock, ground.engine, accounts.connections)
    accounts.connecting.on_connected.append(waits.connected)
    lapses = LapseNotices(house.places, house.chats.outbox, ground.clock)
    accounts.connections.on_lapse.append(lapses)
    reminders = MemberReminders(ground.database, house.people, house.channels)
    return Unattended(reminders, waits)
