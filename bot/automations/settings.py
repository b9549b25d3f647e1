"""`automations:` in bellhop.yaml."""

from pydantic import Field

from bot.settings import Section


class AutomationSettings(Section):
    """Limits of runs that events start."""

    per_person: int = Field(default=20, ge=0, le=10_000)
    """Triggers that one person may have at a time."""
    window_s: int = Field(default=10, ge=1, le=86_400)
    """Seconds in which further events join the run of the first; a file may override it."""
    runs_per_hour: int = Field(default=20, ge=1, le=3_600)
    """A trigger that starts more runs within an hour is paused, and its owner is told."""
    failures: int = Field(default=3, ge=1, le=100)
    """A trigger is paused after this many failed runs in a row, and its owner is told."""
    webhook_kb: int = Field(default=64, ge=1, le=1_024)
    """Longest body of a webhook."""
    webhook_skew_s: int = Field(default=300, ge=10, le=3_600)
    """How far the time of a webhook may be from this machine's, in either direction."""
