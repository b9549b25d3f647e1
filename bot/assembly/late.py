"""Builds the parts of plug-ins that act for people who are not there."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager

from bot.assembly.house import House
from bot.assembly.plugged import Plugged
from bot.connectors.calendars import CalendarAccount
from bot.domain.access import Person
from bot.endpoints.settings import ConsoleSettings
from bot.plugin.late import LateGround, LateParts, Sealing
from bot.sessions.unattended.direct_notices import DirectNotices
from bot.views.lookers import HouseLookers


def build_late(house: House) -> list[tuple[Plugged, LateParts]]:
    """What plug-ins add once the house stands."""
    return [
        (one, one.parts.late(_ground(house, one.plugin.name)))
        for one in house.plugged
        if one.parts.late is not None
    ]


def _ground(house: House, name: str) -> LateGround:
    ground, connections = house.ground, house.accounts.connections
    console = ground.settings.get(ConsoleSettings)
    kept = house.accounts.kept.calendars

    def calendars(person: Person) -> Mapping[str, CalendarAccount]:
        own = connections.connected(person.id)
        return {id_: account for id_, account in kept.usable(person).items() if id_ in own}

    def alone(what: str) -> AbstractAsyncContextManager[None]:
        return ground.exclusive.held(f"{name}:{what}")

    return LateGround(
        people=HouseLookers(house.people, house.channels, ground.clock),
        tells=DirectNotices(house.places, house.chats.outbox, ground.clock),
        calendars=calendars,
        sealing=Sealing(house.accounts.keys, name),
        alone=alone,
        public_url=console.public_url if console.port else "",
    )
