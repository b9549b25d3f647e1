"""`automations:` in bellhop.yaml."""

from pydantic import Field

from bot.settings import Section


class AutomationSettings(Section):
    """What may start runs that nobody asked for at that moment, and how many of them."""

    per_person: int = Field(default=20, ge=0, le=10_000)
    """Triggers that one person may have at a time."""
    window_s: int = Field(default=10, ge=1, le=86_400)
    """Seconds after a trigger's first event in which others join its run; a file may differ."""
    runs_per_hour: int = Field(default=20, ge=1, le=3_600)
    """A trigger that starts more runs within an hour is paused, and its owner is told."""
    failures: int = Field(default=3, ge=1, le=100)
    """A trigger whose runs fail so often in a row is paused, and its owner is told."""
    webhook_kb: int = Field(default=64, ge=1, le=1_024)
    """Longest body of a webhook."""
    webhook_skew_s: int = Field(default=300, ge=10, le=3_600)
    """How far the time of a webhook may be from this machine's, in either direction."""
