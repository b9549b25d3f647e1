"""Automations: their files, and what starts them."""

from collections.abc import Awaitable, Callable
from functools import partial

from bot.agents.scheduling import ScheduleTask
from bot.assembly.ground import Ground
from bot.automations.files import AutomationFiles
from bot.automations.schedule_files import ScheduleFiles
from bot.automations.settings import AutomationSettings
from bot.automations.store import Automations
from bot.automations.trigger_files import TriggerFiles
from bot.automations.watching import Watching
from bot.automations.webhooks import KEY, Webhooks
from bot.connectors.mail import MailConnector, receives_mail
from bot.connectors.mail.inbound import Arrival, Inbound
from bot.connectors.mail.store import Mail
from bot.connectors.meetings import MeetingsConnector
from bot.sessions.channel_store import Channels
from bot.sessions.conversation_store import PastMessages
from bot.sessions.house import House
from bot.sessions.own_events import OwnEvents
from bot.turns.schedules.settings import ScheduleSettings


def automation_files(ground: Ground) -> AutomationFiles:
    """/automations: triggers, and the schedules that schedule_task keeps."""
    settings, database = ground.settings, ground.database
    tasks = ScheduleTask(database, ground.clock, settings.get(ScheduleSettings))
    return AutomationFiles(
        TriggerFiles(
            database,
            settings.get(AutomationSettings),
            Channels(database).named,
            mail=receives_mail(settings.secret),
        ),
        ScheduleFiles(database, tasks),
    )


def build_watching(ground: Ground) -> Watching:
    """What looks at messages and reactions as they are accepted."""
    return Watching(
        ground.clock,
        ground.settings.get(AutomationSettings),
        Automations(ground.database),
        PastMessages(ground.database),
    )


def build_webhooks(ground: Ground) -> Webhooks:
    """What takes webhooks, on the server of the console."""
    settings = ground.settings
    return Webhooks(
        ground.database,
        ground.clock,
        settings.get(AutomationSettings),
        build_watching(ground),
        settings.secret(KEY) or "",
        ground.engine.rescheduled,
    )


def build_inbound(house: House) -> Inbound | None:
    """What takes notices of new mail, where mail can come in."""
    events = OwnEvents(house)

    async def announce(mail: Mail) -> Arrival:
        noted = await events.mail(mail)
        return Arrival(noted.unit, house.engine.rescheduled if noted.comes_due else None)

    def mailboxes() -> list[str]:
        return [agent.email for agent in house.agents.all() if agent.email]

    found = [one for one in house.connectors if isinstance(one, MailConnector) and one.receives]
    return found[0].inbound(mailboxes, announce) if found else None


def meeting_tasks(house: House) -> list[Callable[[], Awaitable[None]]]:
    """What looks for meetings that begin soon, where meetings are kept."""
    events = OwnEvents(house)
    kept = [connector.rows for connector in house.connectors if isinstance(connector, MeetingsConnector)]
    return [partial(events.watch_meetings, rows) for rows in kept]
