"""Due scheduled tasks: their owner now, their text, and their outcome."""

from dataclasses import dataclass, replace

from bot.agents.loop.outcomes import Failed, LoopOutcome, Trouble
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.languages import Language, Phrase
from bot.domain.origins import Origin, Trust
from bot.domain.schedules import ScheduledTask
from bot.domain.sessions import StoredBlock, text_block
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Turn
from bot.domain.work import ScheduleWork
from bot.sessions.run.circumstances import TurnResolver
from bot.sessions.unattended.due_work import (
    DueWork,
    RepeatedWork,
    as_of_now,
)
from bot.tools.budget.budgets import BudgetStanding
from bot.tools.budget.usage import Meter
from bot.turns.schedules import reason_words as reasons
from bot.turns.schedules import store, tasks_store
from bot.turns.schedules.reason_words import REASONS
from bot.turns.schedules.tasks_store import ScheduledTasks

SHOWN_CHARS = 400
"""Characters of an unconfirmed prompt that its owner is shown."""


@dataclass(frozen=True)
class DueTask(RepeatedWork):
    """A due task."""

    meter: Meter
    task: ScheduledTask
    reached: BudgetStanding | None
    """Its own budget that was used up before it began."""

    @property
    def work(self) -> ScheduledTask:
        return self.task

    @property
    def name(self) -> str:
        return f"{self.task.name} ({self.task.ref})"

    @property
    def words(self) -> tuple[StoredBlock, ...]:
        trust = max(Trust.MEMBER, self.task.origin.trust)
        origin = Origin(trust, f"schedule:{self.task.ref}")
        return (StoredBlock(text_block(self.task.prompt), origin, self.task.private),)

    async def refusal(self) -> str:
        if self.reached is not None:
            return used_up(self.reached)
        if self.task.origin.untrusted:
            words = " ".join(self.task.prompt.split())[:SHOWN_CHARS]
            return reasons.UNCONFIRMED.said(Language.EN, words=words)
        return await super().refusal()

    def refused_words(self, why: str) -> str:
        if self.reached is not None:
            return ""
        if not self.now.sure:
            told = REASONS.told(why, self.now.language)
            return Phrase("I left out {name} this time: {why}.").said(
                self.now.language, name=self.name, why=told
            )
        return self.paused_words(why)

    def skipped_unit(self, turn: Turn, why: str) -> Unit:
        """Skip a refused run, and pause the schedule unless the next time may be allowed."""
        ended = super().skipped_unit(turn, why)
        again = not self.now.sure or self.reached is not None
        return ended if again else ended + self.pause(why)

    async def settled(self, turn: Turn, outcome: LoopOutcome, *, posted: bool) -> tuple[Unit, str]:
        """A used-up budget is no failure, and its owner is told once."""
        reached = await reached_of(self.meter, self.task)
        if reached is not None:
            why = used_up(reached)
            state, now = "done" if posted else "stopped", self.clock.now()
            ended = store.ended(turn.id, state, why, now, posted=posted)
            said = isinstance(outcome, Failed) and outcome.kind is Trouble.SPENT
            if said or self.task.cron is None:
                return Unit.of(ended), ""
            why = REASONS.told(why, self.now.language)
            return Unit.of(ended), Phrase("{name}: {why}.").said(
                self.now.language, name=self.name, why=why
            )
        return await super().settled(turn, outcome, posted=posted)

    def count(self, failures: int) -> Write:
        return tasks_store.count_failure(self.task, failures)

    def pause(self, why: str) -> Unit:
        return tasks_store.pause(self.task, why)

    def paused_words(self, why: str) -> str:
        language, name, ref = self.now.language, self.task.name, self.task.ref
        return Phrase(
            "I paused the schedule “{name}” ({ref}): {why}. `/schedule resume {ref}` resumes it, "
            "`/schedule cancel {ref}` removes it."
        ).said(language, name=name, ref=ref, why=REASONS.told(why, language))


def used_up(reached: BudgetStanding) -> str:
    return reasons.USED_UP.said(Language.EN, text=reached.whose())


@dataclass(frozen=True)
class Scheduled:
    """Finds the tasks whose ticks the runner runs."""

    resolver: TurnResolver
    database: Database
    clock: Clock
    meter: Meter

    async def due(self, turn: Turn, work: ScheduleWork) -> DueWork | None:
        """The task to be run now. None: it was removed meanwhile."""
        task = await ScheduledTasks(self.database).find(work.task)
        if task is None:
            return None
        now = await as_of_now(self.resolver.people, work.envelope)
        now = replace(now, message=replace(now.message, key=turn.key, text=task.prompt))
        begun = turn.done(step_key(StepKind.BEGIN))
        reached = None if begun else await reached_of(self.meter, task)
        person = self.resolver.people.contacts.sender_of(now.message)
        return DueTask(
            self.resolver, self.clock, now, now.message, person, self.meter, task, reached
        )


async def reached_of(meter: Meter, task: ScheduledTask) -> BudgetStanding | None:
    """A task's own budget, if that allows no further call."""
    return next((one for one in await meter.of_schedule(task.ref) if one.reached), None)
