"""Reads that queue together share a hop, and nobody waits for somebody else's slow read."""

import asyncio
import sqlite3
from collections import deque
from collections.abc import AsyncGenerator, Callable
from functools import partial
from threading import Event

import pytest

from bot.domain.database import Read, Row
from bot.errors import StorageError
from bot.storage.queues import ReadQueue, ThreadedConnection


class CountedThread(ThreadedConnection):
    """Counts the hops of all readers."""

    hops = 0

    def post(self, job: Callable[[], None]) -> None:
        CountedThread.hops += 1
        self.post_uncounted(job)

    def post_uncounted(self, job: Callable[[], None]) -> None:
        super().post(job)


class Readers:
    """Reads names: one that starts with "slow" when it is let go, "bad" never."""

    def __init__(self) -> None:
        self.slow: deque[Event] = deque()
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.threads: list[CountedThread] = []
        self.queue = ReadQueue()
        self._loop = asyncio.get_running_loop()

    def _name(self, wanted: str) -> str:
        if wanted == "bad":
            raise ValueError(wanted)
        if wanted.startswith("slow"):
            let_go = Event()
            self.slow.append(let_go)
            self._loop.call_soon_threadsafe(self.begun.put_nowait, wanted)
            let_go.wait()
        return wanted

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(":memory:")
        connection.row_factory = sqlite3.Row
        connection.create_function("name_of", 1, self._name)
        return connection

    async def start(self, count: int) -> None:
        for _ in range(count):
            self.threads.append(await CountedThread.opened(self._connect))
        CountedThread.hops = 0
        self.queue.start(self.threads)

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


def held(gate: Event) -> None:
    gate.wait()


async def names(*reads: asyncio.Task[list[Row]]) -> list[object]:
    return [rows[0]["name"] for rows in await asyncio.gather(*reads)]


def ask(readers: Readers, *wanted: str) -> list[asyncio.Task[list[Row]]]:
    return [
        asyncio.create_task(readers.queue.read("SELECT name_of(?) AS name", (name,)))
        for name in wanted
    ]


async def test_reads_that_are_queued_while_a_reader_comes_share_its_hop(readers: Readers):
    # The readers' threads wait for these jobs, so none begins before all reads are queued.
    gate = Event()
    for thread in readers.threads:
        thread.post_uncounted(partial(held, gate))
    wanted = [f"read {number}" for number in range(20)]
    reads = ask(readers, *wanted)
    await asyncio.sleep(0)
    assert CountedThread.hops == 1
    gate.set()
    assert await names(*reads) == wanted


async def test_reads_that_are_asked_together_take_one_hop_and_fail_together(readers: Readers):
    reads = [Read("SELECT name_of(?) AS name", (f"read {number}",)) for number in range(3)]
    found = await readers.queue.read_all(*reads, Read("SELECT 1 AS name WHERE 0"))
    assert found == [[{"name": "read 0"}], [{"name": "read 1"}], [{"name": "read 2"}], []]
    assert CountedThread.hops == 1
    with pytest.raises(StorageError, match="user-defined function raised"):
        await readers.queue.read_all(*reads, Read("SELECT name_of('bad')"), *reads)
    assert await names(*ask(readers, "next")) == ["next"]


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


async def test_a_queued_read_that_nobody_waits_for_any_more_is_not_run(readers: Readers):
    slow = ask(readers, "slow one", "slow two", "slow three")
    begun = [await readers.begun.get() for _ in slow]
    assert begun == ["slow one", "slow two", "slow three"]
    given_up, last = ask(readers, "slow four", "last")
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.wait([given_up])
    readers.let_go()
    assert await names(*slow, last) == ["slow one", "slow two", "slow three", "last"]
    assert readers.begun.empty()


async def test_closing_answers_what_is_queued_and_refuses_the_rest(readers: Readers):
    slow = ask(readers, "slow one", "slow two", "slow three")
    begun = [await readers.begun.get() for _ in slow]
    assert begun == ["slow one", "slow two", "slow three"]
    (queued,) = ask(readers, "queued")
    await asyncio.sleep(0)
    closing = asyncio.create_task(readers.queue.close())
    await asyncio.sleep(0)
    with pytest.raises(StorageError, match="closed"):
        await readers.queue.read("SELECT 1")
    assert not closing.done()
    readers.let_go()
    await closing
    assert await names(*slow, queued) == ["slow one", "slow two", "slow three", "queued"]
