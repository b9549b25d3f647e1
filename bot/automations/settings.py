"""`automations:` in bellhop.yaml."""

from pydantic import Field

from bot.settings import Section


class AutomationSettings(Section):
    """Limits of runs that events start."""

    per_person: int = Field(default=20, ge=0, le=10_000)
    """Triggers that one person may have at a time."""
    runs_per_hour: int = Field(default=20, ge=1, le=3_600)
    """A trigger that starts more runs within an hour is paused, and its owner is told."""
