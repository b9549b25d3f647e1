"""`schedules:` in bellhop.yaml."""

from pydantic import Field

from bot.settings import Section


class ScheduleSettings(Section):
    """What people may have Bellhop do later, and how much of it."""

    per_person: int = Field(default=30, ge=0, le=10_000)
    """Schedules that one person may have at a time."""
    least_minutes: int = Field(default=15, ge=1, le=24 * 60)
    """A repeating schedule comes no more often than this."""
    failures: int = Field(default=3, ge=1, le=100)
    """A schedule whose runs fail so often in a row is paused, and its owner is told."""
    morning: str = Field(default="09:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d$")
    """A reminder that names a day and no time rings then, on the clocks of its person."""
