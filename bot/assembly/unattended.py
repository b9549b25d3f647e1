"""Builds what works while its person is away: reminders, waits for a connection, learning."""

from dataclasses import dataclass

from bot.agents.summaries.conversation_summary import ConversationSummariser
from bot.agents.summaries.distiller import MEMORYMASTER, Distiller
from bot.assembly.house import House
from bot.memory.settings import MemorySettings
from bot.memory.summaries.log import SummaryLog
from bot.sessions.learning.memory_passes import Distillation, MemoryPasses, RecurringWork
from bot.sessions.learning.summaries import SessionSummaries
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


@dataclass(frozen=True)
class LearningWork:
    """The three works in the background."""

    summaries: SessionSummaries
    passes: MemoryPasses
    recurring: RecurringWork


def build_learning(house: House) -> LearningWork:
    """Put the work together; all of it asks the same consent."""
    ground, permission, agents = house.ground, house.permission, house.written.agents
    settings, database, clock = ground.settings, ground.database, ground.clock
    memory = settings.get(MemorySettings)
    distillation = Distillation(
        database,
        clock,
        house.memory.editor,
        house.learning,
        ground.meter,
        Distiller(ground.model, lambda: agents.get(MEMORYMASTER)),
        house.people.contacts,
    )
    agent, timezone = house.rules.default_agent, house.people.timezone
    memory_files = house.memory.editor.store.markdown
    summaries = SessionSummaries(
        database=database,
        clock=clock,
        meter=ground.meter,
        summariser=ConversationSummariser(ground.model, house.crew.prompts),
        learning=house.learning,
        rights=permission.rights,
        agents=agents,
        contacts=house.people.contacts,
        lines=SummaryLog(memory_files.root, memory_files.lock),
        settings=memory,
    )
    return LearningWork(
        summaries,
        MemoryPasses(database, clock, house.memory.editor, distillation, agent, timezone),
        RecurringWork(
            database, clock, house.tooling.catalog, house.learning, settings.home, timezone
        ),
    )
