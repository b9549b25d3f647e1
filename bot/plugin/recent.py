"""For chat platforms: the newest of what was seen there; older things are looked up again."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from bot.domain.clock import Clock

K = TypeVar("K")
V = TypeVar("V")


class Recent(OrderedDict[K, V]):
    """Its newest entries, in the order in which they were set; it forgets the oldest."""

    def __init__(self, most: int = 1000) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)


class Fresh(Generic[K, V]):
    """The newest answers of a platform; each counts for a while."""

    def __init__(self, clock: Clock, lasts: timedelta, most: int = 1000) -> None:
        self._clock = clock
        self._lasts = lasts
        self._kept: Recent[K, tuple[V, datetime]] = Recent(most)

    def get(self, key: K) -> V | None:
        """None when it has to be asked again."""
        kept = self._kept.get(key)
        return kept[0] if kept is not None and self._clock.now() < kept[1] else None

    def put(self, key: K, value: V) -> None:
        self._kept[key] = (value, self._clock.now() + self._lasts)

    async def of(self, key: K, ask: Callable[[], Awaitable[V]]) -> V:
        """What is known, or asked now: it counts from then, however long the answer took."""
        if (known := self.get(key)) is not None:
            return known
        until = self._clock.now() + self._lasts
        value = await ask()
        self._kept[key] = (value, until)
        return value
