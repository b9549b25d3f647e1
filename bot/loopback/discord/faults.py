"""Faults of the REST API; the calls that a fault hits use it up."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.plugin.models import JsonObject


@dataclass
class Fault:
    """A fault of the next `times` calls whose method and path match.

    `status` answers with it (and `body`, `headers`); `reset` cuts the connection before anything
    happens; `after_processing` does the call and then cuts; `delay_s` waits first. `method` and
    `path` are patterns.
    """

    method: str = ".*"
    path: str = ".*"
    status: int | None = None
    reset: bool = False
    after_processing: bool = False
    delay_s: float = 0.0
    times: int = 1
    skip: int = 0
    """The number of matching calls that succeed first."""
    body: JsonObject = field(default_factory=dict[str, object])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    then: Callable[[], None] = field(default=lambda: None, repr=False)
    """Called at the moment of a cut, for example to kill the client."""

    def hits(self, method: str, path: str) -> bool:
        """Whether this call gets the fault; this counts the call."""
        if self.times <= 0 or not (
            re.fullmatch(self.method, method) and re.fullmatch(self.path, path)
        ):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.times -= 1
        return True


def user_rate_limit(
    retry_after: float, path: str = ".*", *, world: bool = False, via: bool = True
) -> Fault:
    """Return a 429, per user or global (`world`); without `via` it is Cloudflare's ban."""
    headers = {"Via": "1.1 google"} if via else {}
    if world:
        headers["X-RateLimit-Global"] = "true"
    body: JsonObject = {
        "message": "You are being rate limited.",
        "retry_after": retry_after,
        "global": world,
    }
    return Fault(path=path, status=429, body=body, headers=headers)


class Faults:
    """The pending faults."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        self._waiting.append(fault)
        return fault

    def clear(self) -> None:
        """Remove all faults."""
        self._waiting.clear()

    def next_for(self, method: str, path: str) -> Fault | None:
        return next((fault for fault in self._waiting if fault.hits(method, path)), None)
