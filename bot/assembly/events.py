"""Builds what finds events for automations: in mail, calendars, meetings and todos."""

from collections.abc import Awaitable, Callable
from functools import partial

from bot.assembly.house import House
from bot.assembly.plugged import require_own_path
from bot.plugin.http import Receiver
from bot.plugin.mail import Arrival, IncomingMail, MailGround
from bot.sessions.unattended.account_events import AccountEvents
from bot.sessions.unattended.own_events import AutomationEvents


def automation_events(house: House) -> AutomationEvents:
    """What stores events for automations."""
    ground = house.ground
    return AutomationEvents(
        database=ground.database,
        people=house.people,
        channels=house.channels,
        clock=ground.clock,
        watching=house.watching,
        rescheduled=ground.engine.rescheduled,
    )


def mail_receivers(house: House) -> list[Receiver]:
    """The paths where plug-ins take new mail for agents.

    Raises SettingsError for a path that could be another's.
    """
    events = automation_events(house)

    async def announce(mail: IncomingMail) -> Arrival:
        noted = await events.mail(mail)
        return Arrival(noted.unit, house.ground.engine.rescheduled if noted.comes_due else None)

    def addresses() -> list[str]:
        return [agent.email for agent in house.written.agents.all() if agent.email]

    found: list[Receiver] = []
    for one in house.plugged:
        if one.parts.mail_in is not None:
            found.append(one.made(one.parts.mail_in, MailGround(addresses, announce), Receiver))
            require_own_path(one, found[-1])
    return found


def account_tasks(house: House) -> list[Callable[[], Awaitable[None]]]:
    """Tasks that poll connected mailboxes and calendars."""
    connections, kept = house.accounts.connections, house.accounts.kept
    if not kept.services:
        return []
    return [
        AccountEvents(automation_events(house), connections, kept.mailboxes, kept.calendars).watch
    ]


def meeting_tasks(house: House) -> list[Callable[[], Awaitable[None]]]:
    """Tasks that look for meetings that begin soon."""
    events = automation_events(house)
    known = [one.parts.upcoming for one in house.plugged]
    return [partial(events.watch_upcoming, find) for find in known if find is not None]
