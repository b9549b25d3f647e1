"""Lets code wait until work arrives in a session."""

import asyncio
from collections import defaultdict
from functools import partial


class Arrivals:
    """Futures that are done when work arrives in their session."""

    def __init__(self) -> None:
        self._awaited: defaultdict[str, set[asyncio.Future[None]]] = defaultdict(set)

    def at(self, session: str) -> asyncio.Future[None]:
        """Done at the next arrival; a cancelled future is forgotten."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._awaited[session].add(waiter)
        waiter.add_done_callback(partial(self._left, session))
        return waiter

    def arrived(self, session: str) -> None:
        for waiter in self._awaited.get(session, ()):
            if not waiter.done():
                waiter.set_result(None)

    def _left(self, session: str, waiter: asyncio.Future[None]) -> None:
        self._awaited[session].discard(waiter)
        if not self._awaited[session]:
            del self._awaited[session]
