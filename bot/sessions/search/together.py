"""Lets those who ask for the same thing at the same time share one look at it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Together(Generic[T]):
    """One look for all who ask before it begins; it sees everything stored before they asked.

    Somebody who asks while a look is under way gets the next one. So nobody waits for more than two
    looks, however many ask.
    """

    def __init__(self, look: Callable[[], Awaitable[T]], turns: asyncio.Lock | None = None) -> None:
        """`turns` is held during a look, if something else must not run beside it."""
        self._look = look
        self._turns = turns or asyncio.Lock()
        self._next: asyncio.Task[T] | None = None
        """The look that has not begun yet."""

    async def __call__(self) -> T:
        """What the look returns; raises what it raises, to each who asked."""
        if self._next is None:
            self._next = asyncio.create_task(self._run(), name="shared-look")
            self._next.add_done_callback(_seen)
        return await asyncio.shield(self._next)

    @property
    def is_idle(self) -> bool:
        """Whether no look is wanted or under way."""
        return self._next is None and not self._turns.locked()

    async def _run(self) -> T:
        async with self._turns:
            self._next = None  # who asks from now on may have stored something since
            return await self._look()


def _seen(done: asyncio.Task[T]) -> None:
    """An error belongs to those who asked, even if all of them were cancelled."""
    if not done.cancelled():
        done.exception()
