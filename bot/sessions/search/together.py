"""Lets those who ask for the same thing at the same time share one look at it.

So the channels on record are read once for all who search at the same time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from bot.domain.database import Database
from bot.sessions.search.words_store import KnownPlace, channels_on_record

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


@dataclass(eq=False)
class ChannelsOnRecord:
    """The list is nobody's own, and says nothing about who may read a channel.

    It is kept for nobody who asks later. Its cost grows with the home, so a crowd that writes at
    once would otherwise read it for each of them.
    """

    database: Database
    _looks: dict[tuple[tuple[str, str], ...], Together[list[KnownPlace]]] = field(
        default_factory=dict[tuple[tuple[str, str], ...], Together[list[KnownPlace]]]
    )

    async def within(self, workspaces: Sequence[tuple[str, str]]) -> Sequence[KnownPlace]:
        """See `channels_on_record`. Raises StorageError."""
        key = tuple(workspaces)
        look = self._looks.get(key)
        if look is None:
            look = Together(partial(channels_on_record, self.database, key))
            self._looks[key] = look
        try:
            return await look()
        finally:
            if look.is_idle and self._looks.get(key) is look:
                del self._looks[key]
