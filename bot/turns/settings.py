"""`turns:` in bellhop.yaml."""

from pydantic import Field

from bot.settings import Section


class TurnSettings(Section):
    """How many requests are worked on at once.

    Waiting for a model or a person doesn't count as work.
    """

    working: int = Field(default=32, ge=1, le=1_000)
    """The most requests that use this machine at the same time.

    Waiting for a model or a person does not count.
    """
    per_person: int = Field(default=3, ge=1, le=100)
    """The most requests of one person that run at the same time, wherever they were made.

    The others wait, and people take turns.
    """
    begun: int = Field(default=1_000, ge=1, le=100_000)
    """The most requests that run at the same time, those that wait for a model included; each takes
    some memory.
    """
    minutes: float = Field(default=15.0, gt=0, le=24 * 60)
    """A request that takes longer is ended, and its person told."""

    @property
    def reserved(self) -> int:
        """How many of `working` are kept for requests that somebody waits for."""
        return self.working // 4
