"""What people asked to be done later, and what became of each time that it was due."""

from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.origins import Origin
from bot.domain.privacy import Learned


@dataclass(frozen=True)
class ScheduleSpent:
    """What a schedule has used in a month (`2026-11`)."""

    month: str = ""
    nano_usd: int = 0
    calls: int = 0


@dataclass(frozen=True)
class ScheduledTask:
    """A prompt that runs once, or repeatedly (`cron`, in the time zone `zone`), for its owner.

    `next_due` is None if it never runs again. `conversation` is where it was made and answers.
    """

    ref: str
    schedule: int
    session: str
    owner: str
    name: str
    prompt: str
    conversation: str
    learned: Learned
    """Where it was made: it is shown where its audience is."""
    origin: Origin
    cron: str | None
    zone: str
    next_due: datetime | None
    paused: bool
    paused_why: str
    failures: int
    created_at: datetime
    budget_calls: int | None = None
    """Model calls that its owner gave it for a month; None: as the settings say."""
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
    claimed_at: datetime
    ran_at: datetime | None
    ended_at: datetime | None
    posted_at: datetime | None
