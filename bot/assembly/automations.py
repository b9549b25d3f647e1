"""Builds automations: their files and their event sources."""

from collections.abc import Callable, Sequence
from functools import partial

from bot.agents.control_tools.scheduling import ScheduleTask
from bot.assembly.accounts import Accounts
from bot.assembly.ground import Ground
from bot.assembly.plugged import Plugged, sources_of, takes_mail
from bot.assembly.plugins import unsent
from bot.automations.files import AutomationFiles, written_automation_problem
from bot.automations.schedule_files import ScheduleFiles
from bot.automations.store import Automations
from bot.automations.trigger_files import TriggerFiles
from bot.automations.watching import Watching
from bot.automations.webhooks import KEY, Webhooks
from bot.domain.tools import ToolCall
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import PastMessages


def automation_files(
    ground: Ground, accounts: Accounts, plugged: Sequence[Plugged]
) -> AutomationFiles:
    """/automations: triggers, and the schedules that schedule_task keeps."""
    database, connections = ground.database, accounts.connections
    keeping = accounts.kept.services
    triggers = TriggerFiles(
        database,
        Channels(database).named,
        mail=takes_mail(plugged),
        unsent=unsent(ground.plugins),
        sources=sources_of(plugged),
        connected=lambda person: not connections.connected(person.id).isdisjoint(keeping),
    )
    return AutomationFiles(triggers, ScheduleFiles(database, ScheduleTask(database, ground.clock)))


def automation_problem(
    ground: Ground, accounts: Accounts, plugged: Sequence[Plugged]
) -> Callable[[ToolCall], str | None]:
    """What is wrong with an automation that a call would write.

    The write itself sees whether its person connected a service that keeps mail or calendars.
    """
    services = accounts.connections.services
    offered = any(services[name].offered for name in accounts.kept.services)
    return partial(
        written_automation_problem,
        mail=offered or takes_mail(plugged),
        calendar=offered,
        unsent=unsent(ground.plugins),
        sources=sources_of(plugged),
    )


def build_watching(ground: Ground) -> Watching:
    """Build the watcher of accepted messages and reactions."""
    database = ground.database
    return Watching(ground.clock, Automations(database), PastMessages(database))


def build_webhooks(ground: Ground) -> Webhooks:
    """Build the receiver of webhooks, on the HTTP server."""
    settings = ground.settings
    return Webhooks(
        ground.database,
        ground.clock,
        build_watching(ground),
        settings.secret(KEY) or "",
        ground.engine.rescheduled,
    )
