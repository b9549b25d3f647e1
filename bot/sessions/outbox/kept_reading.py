"""What was read from the database, kept for as long as it holds."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class KeptReading(Generic[T]):
    """Reads once, and again after each `drop`; `read` never gives None.

    A reading that began before a drop may miss the change, so it is given but not kept.
    """

    def __init__(self, read: Callable[[], Awaitable[T]]) -> None:
        self._read = read
        self._kept: T | None = None
        self._drops = 0

    async def get(self) -> T:
        """What is kept, or what is read now. Raises what `read` raises."""
        if self._kept is not None:
            return self._kept
        drops = self._drops
        found = await self._read()
        if drops == self._drops:
            self._kept = found
        return found

    def drop(self) -> None:
        """It has changed: read it again next time."""
        self._drops += 1
        self._kept = None
