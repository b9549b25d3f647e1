"""Records calls to the platform, with times and answers."""

import itertools
from collections import Counter
from dataclasses import dataclass, field

from bot.plugin.models import JsonObject


@dataclass(frozen=True)
class Call:
    """One Web API call. `at` is in seconds of the platform's monotonic clock."""

    method: str
    arguments: JsonObject
    at: float
    answer: str
    """`ok`, Slack's error code, or what a fault did to it."""


@dataclass
class CallLog:
    """Every call in order, and the app's mistakes (`problems`)."""

    calls: list[Call] = field(default_factory=list[Call])
    problems: list[str] = field(default_factory=list[str])
    scopes_used: set[str] = field(default_factory=set[str])
    events_used: set[str] = field(default_factory=set[str])

    def named(self, method: str) -> list[Call]:
        return [call for call in self.calls if call.method == method]

    @property
    def counts(self) -> Counter[str]:
        return Counter(call.method for call in self.calls)

    def gaps(self, method: str) -> list[float]:
        """Return the seconds between consecutive calls of this method."""
        times = [call.at for call in self.named(method)]
        return [later - earlier for earlier, later in itertools.pairwise(times)]

    def take_problems(self) -> list[str]:
        """Return the problems and clear them, so that the platform closes without an error."""
        taken, self.problems = self.problems, []
        return taken
