"""`schedules:` in bellhop.yaml."""

from pydantic import Field

from bot.settings import Section


class ScheduleSettings(Section):
    """How many schedules people may have, and how often they may run."""

    per_person: int = Field(default=30, ge=0, le=10_000)
    """The most schedules of one person at a time."""
    least_minutes: int = Field(default=15, ge=1, le=24 * 60)
    """A repeating schedule is due no more often than this."""
    failures: int = Field(default=3, ge=1, le=100)
    """After this many failed runs in a row a schedule is paused, and its owner is told."""
    morning: str = Field(default="09:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d$", examples=["09:00"])
    """The time of a reminder that names only a day, in its person's zone."""
