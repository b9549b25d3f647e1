"""Limits how many turns work on this machine at the same time.

A turn that waits for a model or a person holds no slot.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.turns.shares import Urgency


@dataclass
class _Holder:
    urgency: Urgency
    holds: bool = True
    away: int = 0
    """The number of waiting branches of a turn; agents that work in parallel are its branches."""


class Slots:
    """`most` in all; the last `reserved` of them are only for people's requests.

    Commands need none.
    """

    def __init__(self, most: int, reserved: int, freed: Callable[[], None]) -> None:
        """`freed` is called when there is room for a turn that has not begun."""
        self._most = most
        self._background = max(1, most - reserved)
        self._freed = freed
        self._used = 0
        self._holders: dict[str, _Holder] = {}
        self._returning: deque[tuple[_Holder, asyncio.Future[None]]] = deque()

    def room(self, urgency: Urgency) -> bool:
        """Whether a turn may begin now. Turns that return from waiting go first."""
        return urgency is Urgency.COMMAND or (not self._returning and self._free(urgency))

    def take(self, session: str, urgency: Urgency) -> None:
        """Take a slot for a turn that begins; the caller has asked whether there is `room`."""
        holder = self._holders[session] = _Holder(urgency, urgency is not Urgency.COMMAND)
        self._used += holder.holds

    def leave(self, session: str) -> None:
        """Free the slot of a turn that has come to rest."""
        holder = self._holders.pop(session, None)
        if holder is not None:
            self._give_back(holder)

    @asynccontextmanager
    async def away(self, session: str) -> AsyncGenerator[None]:
        """Release the slot while the turn waits for a model or a person; take one before returning.

        An error that ends the wait ends the turn soon, which needs no slot for that.
        """
        holder = self._holders.get(session)
        if holder is None or holder.urgency is Urgency.COMMAND:
            yield
            return
        holder.away += 1
        self._give_back(holder)
        try:
            yield
        except BaseException:
            holder.away -= 1
            raise
        holder.away -= 1
        if holder.away or holder.holds:
            return
        if self._returning or not self._free(holder.urgency):
            await self._queue(holder)
        else:
            holder.holds = True
            self._used += 1

    def _free(self, urgency: Urgency) -> bool:
        return self._used < (self._background if urgency is Urgency.BACKGROUND else self._most)

    def _give_back(self, holder: _Holder) -> None:
        if not holder.holds:
            return
        holder.holds = False
        self._used -= 1
        self._hand_on()
        self._freed()

    def _hand_on(self) -> None:
        """Give free slots to returning turns, in their order."""
        kept: deque[tuple[_Holder, asyncio.Future[None]]] = deque()
        while self._returning:
            holder, waiter = self._returning.popleft()
            if waiter.done():
                continue
            if not (holder.holds or self._free(holder.urgency)):
                kept.append((holder, waiter))
                continue
            if not holder.holds:  # another branch of the turn may have returned before
                holder.holds = True
                self._used += 1
            waiter.set_result(None)
        self._returning = kept

    async def _queue(self, holder: _Holder) -> None:
        """Wait until a slot is handed on to a turn that returns."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._returning.append((holder, waiter))
        try:
            await waiter
        except asyncio.CancelledError:
            if (
                waiter.cancelled()
            ):  # otherwise it was handed over in the same moment, and `leave` returns it
                self._hand_on()
                self._freed()
            raise
