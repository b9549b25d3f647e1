"""Reads that queue together share a hop, and nobody waits for somebody else's slow read."""

import asyncio
import sqlite3
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from functools import partial
from threading import Event
from typing import Any

import pytest

from bot.domain.database import Row
from bot.errors import StorageError
from bot.storage.database import ConnectionThread
from bot.storage.queues import Reader, ReadJob, ReadQueue


class Readers:
    """Reads names: one that starts with "slow" when it is let go, "bad" never."""

    def __init__(self) -> None:
        self.slow: deque[Event] = deque()
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self.hops = 0
        self.threads: list[ConnectionThread] = []
        self.queue = ReadQueue(self._rows)

    def _rows(self, connection: sqlite3.Connection, sql: str, params: Sequence[Any]) -> list[Row]:
        if sql == "bad":
            raise StorageError("cannot read")
        if sql.startswith("slow"):
            let_go = Event()
            self.slow.append(let_go)
            self._loop.call_soon_threadsafe(self.begun.put_nowait, sql)
            let_go.wait()
        return [{"name": sql, "params": params}]

    async def start(self, count: int) -> None:
        for _ in range(count):
            thread = await ConnectionThread.opened(lambda: sqlite3.connect(":memory:"))
            self.threads.append(thread)
        self.queue.start([self._counted(thread) for thread in self.threads])

    def _counted(self, thread: ConnectionThread) -> Reader:
        def post(job: ReadJob) -> None:
            self.hops += 1
            thread.post(job)

        return post

    def let_go(self) -> None:
        for event in self.slow:
            event.set()


@pytest.fixture
async def readers() -> AsyncGenerator[Readers]:
    readers = Readers()
    await readers.start(3)
    yield readers
    readers.let_go()
    await readers.queue.close()
    for thread in readers.threads:
        await thread.close()


def held(gate: Event, _: sqlite3.Connection) -> None:
    gate.wait()


async def names(*reads: asyncio.Task[list[Row]]) -> list[object]:
    return [rows[0]["name"] for rows in await asyncio.gather(*reads)]


def ask(readers: Readers, *wanted: str) -> list[asyncio.Task[list[Row]]]:
    return [asyncio.create_task(readers.queue.read(name)) for name in wanted]


async def test_reads_that_are_queued_while_a_reader_comes_share_its_hop(readers: Readers):
    # The readers' threads wait for these jobs, so none begins before all reads are queued.
    gates = [Event() for _ in readers.threads]
    for thread, gate in zip(readers.threads, gates, strict=True):
        thread.post(partial(held, gate))
    wanted = [f"read {number}" for number in range(20)]
    reads = ask(readers, *wanted)
    await asyncio.sleep(0)
    assert readers.hops == 1
    for gate in gates:
        gate.set()
    assert await names(*reads) == wanted


async def test_reads_behind_a_slow_one_are_answered_by_another_reader(readers: Readers):
    slow, *fast = ask(readers, "slow", "one", "two")
    assert await names(*fast) == ["one", "two"]
    assert not slow.done()
    readers.let_go()
    assert await names(slow) == ["slow"]


async def test_a_read_waits_while_all_readers_are_busy_and_is_answered_by_the_first(
    readers: Readers,
):
    slow = ask(readers, "slow one", "slow two", "slow three")
    begun = [await readers.begun.get() for _ in slow]
    assert begun == ["slow one", "slow two", "slow three"]
    (last,) = ask(readers, "last")
    await asyncio.sleep(0)
    assert not last.done()
    readers.slow[0].set()
    assert await names(last) == ["last"]
    readers.let_go()
    assert await names(*slow) == ["slow one", "slow two", "slow three"]


async def test_a_failed_read_and_a_cancelled_caller_concern_nobody_else(readers: Readers):
    good, bad, cancelled, other = ask(readers, "good", "bad", "cancelled", "other")
    await asyncio.sleep(0)
    cancelled.cancel()
    assert await names(good, other) == ["good", "other"]
    with pytest.raises(StorageError, match="cannot read"):
        await bad
    with pytest.raises(asyncio.CancelledError):
        await cancelled


async def test_closing_answers_what_is_queued_and_refuses_the_rest(readers: Readers):
    slow = ask(readers, "slow one", "slow two", "slow three")
    begun = [await readers.begun.get() for _ in slow]
    assert begun == ["slow one", "slow two", "slow three"]
    (queued,) = ask(readers, "queued")
    await asyncio.sleep(0)
    closing = asyncio.create_task(readers.queue.close())
    await asyncio.sleep(0)
    with pytest.raises(StorageError, match="closed"):
        await readers.queue.read("late")
    assert not closing.done()
    readers.let_go()
    await closing
    assert await names(*slow, queued) == ["slow one", "slow two", "slow three", "queued"]
