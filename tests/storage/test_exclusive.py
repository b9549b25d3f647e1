"""Work of one name is done by one task at a time, in all processes."""

import asyncio

import pytest

from bot.clock import SystemClock
from bot.errors import StorageError
from bot.storage.exclusive import Exclusive


class Server:
    """The locks of one database, as its processes share them."""

    def __init__(self) -> None:
        self.held: set[str] = set()
        self.away = False


class Locks:
    """Implements `domain.processes.Locks` for one process."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._own: set[str] = set()

    async def take(self, name: str) -> bool:
        if self._server.away:
            raise OSError("no connection")
        if name in self._server.held - self._own:
            return False
        self._server.held.add(name)
        self._own.add(name)
        return True

    async def release(self, name: str) -> None:
        self._own.discard(name)
        self._server.held.discard(name)

    async def held(self, name: str) -> bool:
        return name in self._server.held

    async def lost(self, name: str) -> None:
        await asyncio.Event().wait()


@pytest.mark.parametrize("processes", [1, 2])
async def test_one_at_a_time(processes: int):
    server = Server()
    working = most = done = 0
    doers = [Exclusive(SystemClock(), Locks(server)) for _ in range(processes)]

    async def work(doer: Exclusive) -> None:
        nonlocal working, most, done
        async with doer.held("renew"):
            working += 1
            most = max(most, working)
            await asyncio.sleep(0)
            working -= 1
            done += 1

    await asyncio.gather(*(work(doers[number % processes]) for number in range(4)))
    assert (most, done, server.held) == (1, 4, set())


async def test_a_server_that_is_away_is_an_error_with_a_name():
    server = Server()
    server.away = True
    with pytest.raises(StorageError, match="can't lock renew"):
        async with Exclusive(SystemClock(), Locks(server)).held("renew"):
            pass
    async with Exclusive(SystemClock()).held("renew"):  # alone there is nothing to ask
        pass
