"""`schedules:` in bellhop.yaml."""

from pydantic import Field

from bot.settings import Section

LEAST_MINUTES = 15
"""A repeating schedule is due no more often: each run costs model calls that nobody asked for."""


class ScheduleSettings(Section):
    """How many schedules people may have."""

    per_person: int = Field(default=30, ge=0, le=10_000)
    """The most schedules of one person at a time."""
