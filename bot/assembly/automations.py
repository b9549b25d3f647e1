"""Builds automations: their files and their event sources."""

from collections.abc import Callable, Collection
from functools import partial

from bot.agents.control_tools.scheduling import ScheduleTask
from bot.assembly.ground import Ground
from bot.automations.files import AutomationFiles, written_automation_problem
from bot.automations.schedule_files import ScheduleFiles
from bot.automations.store import Automations
from bot.automations.trigger_files import TriggerFiles
from bot.automations.watching import Watching
from bot.automations.webhooks import KEY, Webhooks
from bot.connections.access import Connections
from bot.domain.automations import EventKind
from bot.domain.tools import ToolCall
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import PastMessages


def automation_files(
    ground: Ground,
    connections: Connections,
    sources: Collection[str],
    keeping: Collection[str],
    *,
    mail: bool,
    unsent: Collection[EventKind],
) -> AutomationFiles:
    """/automations: triggers, and the schedules that schedule_task keeps.

    `sources`: the event sources of plug-ins. `keeping`: the services that keep mail or calendars.
    `mail`: whether mail comes to agents; `unsent`: kinds of events that no plug-in tells of.
    """
    database = ground.database
    tasks = ScheduleTask(database, ground.clock)
    return AutomationFiles(
        TriggerFiles(
            database,
            Channels(database).named,
            mail=mail,
            unsent=unsent,
            sources=sources,
            connected=lambda person: not connections.connected(person.id).isdisjoint(keeping),
        ),
        ScheduleFiles(database, tasks),
    )


def automation_problem(
    connections: Connections,
    sources: Collection[str],
    keeping: Collection[str],
    *,
    mail: bool,
    unsent: Collection[EventKind],
) -> Callable[[ToolCall], str | None]:
    """What is wrong with an automation that a call would write.

    The write itself sees whether its person connected one of those that are `keeping` mail or
    calendars. `mail` and `unsent` as above.
    """
    offered = any(connections.services[name].offered for name in keeping)
    return partial(
        written_automation_problem,
        mail=offered or mail,
        calendar=offered,
        unsent=unsent,
        sources=sources,
    )


def build_watching(ground: Ground) -> Watching:
    """Build the watcher of accepted messages and reactions."""
    return Watching(
        ground.clock,
        Automations(ground.database),
        PastMessages(ground.database),
    )


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
