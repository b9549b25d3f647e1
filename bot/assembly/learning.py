"""What is learned from conversations that are over: summaries, memory, recurring work."""

from dataclasses import dataclass

from bot.agents.summaries.distiller import MEMORYMASTER, Distiller
from bot.memory.settings import MemorySettings
from bot.memory.summaries.log import SummaryLog
from bot.sessions.house import House
from bot.sessions.learning.consent import Learning
from bot.sessions.learning.distillation import Distillation
from bot.sessions.learning.memory_passes import MemoryPasses
from bot.sessions.learning.recurring_work import RecurringWork
from bot.sessions.learning.summaries import SessionSummaries
from bot.settings import Settings


@dataclass(frozen=True)
class LearningWork:
    """The three works in the background."""

    summaries: SessionSummaries
    passes: MemoryPasses
    recurring: RecurringWork


def build_learning(house: House, settings: Settings) -> LearningWork:
    """Put the work together; all of it asks the same consent."""
    database, clock, memory = house.database, house.clock, settings.get(MemorySettings)
    learning = Learning(database, house.rights)
    distillation = Distillation(
        database,
        clock,
        house.memory,
        learning,
        house.meter,
        Distiller(house.model, lambda: house.agents.get(MEMORYMASTER)),
        house.contacts,
    )
    rules = house.rules
    return LearningWork(
        SessionSummaries(house, SummaryLog(settings.home / "memory"), memory),
        MemoryPasses(
            database, clock, house.memory, distillation, rules.default_agent, rules.timezone
        ),
        RecurringWork(
            database, clock, house.catalog, learning, settings.home, rules.timezone, memory
        ),
    )
