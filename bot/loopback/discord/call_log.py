"""Records the bot's calls and the events sent to it, and lets tests wait for a condition."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bot.loopback.serving import until
from bot.plugin.clock import Clock
from bot.plugin.models import JsonObject

T = TypeVar("T")


@dataclass
class Call:
    """One REST call: when it arrived (monotonic seconds), and how it was answered."""

    method: str
    path: str
    body: JsonObject
    at: float
    status: int = 0
    query: dict[str, str] = field(default_factory=dict[str, str])


class CallLog:
    """All calls and events in order. `until` waits on them, so that no test sleeps."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = asyncio.Event()
        self.calls: list[Call] = []
        self.events: list[tuple[str, JsonObject]] = []
        self.received: list[tuple[int, Any]] = []
        """Opcodes and data that the client sent on the gateway."""

    def call(self, method: str, path: str, body: JsonObject, query: dict[str, str]) -> Call:
        made = Call(method, path, body, self._clock.monotonic(), query=query)
        self.calls.append(made)
        self.touch()
        return made

    def touch(self) -> None:
        """Wake all waiters, because something changed."""
        self._changed.set()

    def find(self, method: str, path: str) -> list[Call]:
        """Return the calls whose whole method and path match these patterns."""
        return [
            call
            for call in self.calls
            if re.fullmatch(method, call.method) and re.fullmatch(path, call.path)
        ]

    def count(self, method: str, path: str) -> int:
        return len(self.find(method, path))

    def opcodes(self) -> list[int]:
        return [opcode for opcode, _ in self.received]

    async def until(self, predicate: Callable[[], T | None], seconds: float = 60.0) -> T:
        """Wait until the predicate returns something true; return that.

        Raises TimeoutError with the last calls.
        """
        return await until(predicate, self._changed, self._last, seconds)

    def _last(self) -> str:
        last = (f"{call.method} {call.path} {call.status}" for call in self.calls[-12:])
        return f"last calls: {', '.join(last)}"
