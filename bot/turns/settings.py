"""`turns:` in bellhop.yaml, and how many turns an engine runs."""

from dataclasses import dataclass

from pydantic import Field

from bot.settings import Section


class TurnSettings(Section):
    """How many requests of a person run at once, and for how long."""

    per_person: int = Field(default=3, ge=1, le=100)
    """The most requests of one person that run at the same time, wherever they were made.

    The others wait, and people take turns.
    """
    minutes: float = Field(default=15.0, gt=0, le=24 * 60)
    """A request that takes longer is ended, and its person told."""


@dataclass(frozen=True)
class TurnLimits:
    """How many turns run at the same time."""

    per_person: int = 3
    working: int = 32
    """Those that use this machine: waiting for a model or a person does not count."""
    begun: int = 1_000
    """Those that wait included; each takes some memory."""

    @property
    def reserved(self) -> int:
        """How many of `working` are kept for requests that somebody waits for."""
        return self.working // 4
