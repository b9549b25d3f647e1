"""Builds what finds events for automations: in mail, calendars, meetings and todos."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from bot.assembly.house import House
from bot.assembly.plugged import kept_elsewhere
from bot.connectors.mail.settings import receives_mail
from bot.connectors.mail.store import Mail
from bot.connectors.meetings import MeetingsConnector
from bot.sessions.unattended.own_events import AutomationReaders, EventGround, OwnEvents

if TYPE_CHECKING:
    from bot.connectors.mail.inbound import Inbound


def event_ground(house: House) -> EventGround:
    """What all finders of events share."""
    ground = house.ground
    return EventGround(
        readers=AutomationReaders(ground.database, house.people, house.channels),
        database=ground.database,
        clock=ground.clock,
        watching=house.watching,
        rescheduled=ground.engine.rescheduled,
    )


def build_inbound(house: House) -> "Inbound | None":
    """Build the receiver of new mail, if mail can come in."""
    if not receives_mail(house.ground.settings.secret):
        return None
    from bot.connectors.mail.connector import MailConnector  # noqa: PLC0415 - where mail comes in
    from bot.connectors.mail.inbound import Arrival  # noqa: PLC0415

    events = OwnEvents(event_ground(house))

    async def announce(mail: Mail) -> Arrival:
        noted = await events.mail(mail)
        return Arrival(noted.unit, house.ground.engine.rescheduled if noted.comes_due else None)

    def mailboxes() -> list[str]:
        return [agent.email for agent in house.written.agents.all() if agent.email]

    found = [one for one in house.connectors if isinstance(one, MailConnector) and one.receives]
    return found[0].inbound(mailboxes, announce) if found else None


def account_tasks(house: House) -> list[Callable[[], Awaitable[None]]]:
    """Tasks that poll connected mailboxes and calendars."""
    connections = house.accounts.connections
    kept = kept_elsewhere(house.plugged, connections.usable)
    if not kept.services:
        return []
    from bot.sessions.unattended.account_events import AccountEvents  # noqa: PLC0415

    return [AccountEvents(event_ground(house), connections, kept.mailboxes, kept.calendars).watch]


def meeting_tasks(house: House) -> list[Callable[[], Awaitable[None]]]:
    """Tasks that look for meetings that begin soon."""
    events = OwnEvents(event_ground(house))
    kept = [
        connector.rows for connector in house.connectors if isinstance(connector, MeetingsConnector)
    ]
    return [partial(events.watch_meetings, rows) for rows in kept]
