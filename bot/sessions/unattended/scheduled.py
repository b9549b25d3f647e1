"""Due scheduled tasks: their owner now, their text, and their outcome."""

from dataclasses import dataclass, replace

from bot.agents.loop.outcomes import Failed, LoopOutcome, Trouble
from bot.domain.access import Person, Role
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Language, Phrase
from bot.domain.messages import IncomingMessage
from bot.domain.origins import Origin, Trust
from bot.domain.schedules import ScheduledTask
from bot.domain.sessions import StoredBlock, text_block
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Turn
from bot.domain.work import ScheduleWork
from bot.sessions.run.circumstances import TurnResolver
from bot.sessions.unattended.due_work import (
    PAUSED_AFTER,
    AsOfNow,
    DueWork,
    FailureStreak,
    as_of_now,
    refusal_of,
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
class DueTask:
    """A due task. Implements `DueWork`."""

    kind: "Scheduled"
    task: ScheduledTask
    now: AsOfNow
    person: Person
    reached: BudgetStanding | None = None
    """Its own budget that was used up before it began."""

    @property
    def message(self) -> IncomingMessage:
        return self.now.message

    @property
    def name(self) -> str:
        return f"{self.task.name} ({self.task.ref})"

    @property
    def home(self) -> IncomingMessage:
        return self.message

    @property
    def words(self) -> tuple[StoredBlock, ...]:
        """The task itself. A model wrote it, so it names no target on behalf of its owner."""
        trust = max(Trust.MEMBER, self.task.origin.trust)
        origin = Origin(trust, f"schedule:{self.task.ref}")
        return (StoredBlock(text_block(self.task.prompt), origin, self.task.private),)

    async def refusal(self) -> str:
        """Why its owner, with their current role, may no longer run it; empty if they may."""
        if self.reached is not None:
            return used_up(self.reached)
        if self.task.origin.untrusted:
            words = " ".join(self.task.prompt.split())[:SHOWN_CHARS]
            return reasons.UNCONFIRMED.said(Language.EN, words=words)
        if self.person.role is Role.BANNED:
            return reasons.BANNED.said(Language.EN)
        return await refusal_of(self.kind.resolver, self.person, self.now)

    def refused_words(self, why: str) -> str:
        if self.reached is not None:
            return ""
        if not self.now.sure:
            told = REASONS.told(why, self.now.language)
            return Phrase("I left out {name} this time: {why}.").said(
                self.now.language, name=self.name, why=told
            )
        return paused_words(self.task, why, self.now.language)

    def notice(self) -> None:
        """None: it works in the place where its owner asked for it."""

    def begun_unit(self, turn: Turn) -> Unit:
        return Unit.of(store.began(turn.id, self.kind.clock.now()))

    def skipped_unit(self, turn: Turn, why: str) -> Unit:
        """Skip a refused run, and pause the schedule unless the next time may be allowed."""
        now, again = self.kind.clock.now(), not self.now.sure or self.reached is not None
        ended = Unit.of(store.ended(turn.id, "skipped", why, now, posted=False))
        return ended if again else ended + tasks_store.pause(self.task, why)

    async def settled(self, turn: Turn, outcome: LoopOutcome, *, posted: bool) -> tuple[Unit, str]:
        """Three failures in a row pause it.

        A used-up budget is no failure, and its owner is told once.
        """
        reached = await self.kind.reached(self.task)
        if reached is not None:
            why = used_up(reached)
            state, now = "done" if posted else "stopped", self.kind.clock.now()
            ended = store.ended(turn.id, state, why, now, posted=posted)
            said = isinstance(outcome, Failed) and outcome.kind is Trouble.SPENT
            if said or self.task.cron is None:
                return Unit.of(ended), ""
            why = REASONS.told(why, self.now.language)
            return Unit.of(ended), Phrase("{name}: {why}.").said(
                self.now.language, name=self.name, why=why
            )
        return self._streak.settled(turn, outcome, self.kind.clock.now(), posted=posted)

    def given_up(self, turn: Turn, reason: str) -> tuple[Unit, str]:
        return self._streak.given_up(turn, reason, self.kind.clock.now())

    @property
    def _streak(self) -> FailureStreak:
        task = self.task
        return FailureStreak(
            task.ref,
            task.failures,
            None if task.cron is None else PAUSED_AFTER,
            lambda failures: tasks_store.count_failure(task, failures),
            lambda why: tasks_store.pause(task, why),
            lambda why: paused_words(task, why, self.now.language),
        )


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
        reached = None if turn.done(step_key(StepKind.BEGIN)) else await self.reached(task)
        return DueTask(
            self, task, now, self.resolver.people.contacts.sender_of(now.message), reached
        )

    async def reached(self, task: ScheduledTask) -> BudgetStanding | None:
        """Its own budget, if that allows no further call."""
        return next((one for one in await self.meter.of_schedule(task.ref) if one.reached), None)


def paused_words(task: ScheduledTask, why: str, language: Language) -> str:
    """The notice to its owner in the place where it was made; `why` is in English, as kept."""
    told = REASONS.told(why, language)
    return Phrase(
        "I paused the schedule “{name}” ({ref}): {why}. `/schedule resume {ref}` resumes it, "
        "`/schedule cancel {ref}` removes it."
    ).said(language, name=task.name, ref=task.ref, why=told)
