"""Scheduled tasks, and the outcome of each time that one was due."""

from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.origins import Origin
from bot.domain.privacy import Learned


@dataclass(frozen=True)
class ScheduleSpent:
    """The usage of a schedule in a month (`2026-11`)."""

    month: str = ""
    nano_usd: int = 0
    calls: int = 0


@dataclass(frozen=True)
class ScheduledTask:
    """A prompt that runs for its owner: once, or repeatedly (`cron`, in the time zone `zone`).

    `next_due` is None if it never runs again. It was made in `conversation` and answers there.
    """

    ref: str
    schedule: int
    session: str
    owner: str
    name: str
    prompt: str
    conversation: str
    learned: Learned
    """Where it was made; it is shown to that audience only."""
    origin: Origin
    cron: str | None
    zone: str
    next_due: datetime | None
    paused: bool
    paused_why: str
    failures: int
    created_at: datetime
    budget_calls: int | None = None
    """The owner's limit of model calls per month; None: the limit in the settings."""
    spent: ScheduleSpent = field(default_factory=ScheduleSpent)

    @property
    def private(self) -> bool:
        """Whether it may not be shown everywhere."""
        return self.learned.private

    @property
    def over(self) -> bool:
        return self.next_due is None


@dataclass(frozen=True)
class ScheduleTick:
    """One time that a schedule was due.

    `state`: claimed, running, done, failed, stopped, skipped or folded.
    """

    due: datetime
    state: str
    detail: str
    turn: int | None
    ran_at: datetime | None
    ended_at: datetime | None
    posted_at: datetime | None
