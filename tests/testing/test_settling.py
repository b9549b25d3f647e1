"""A test that waits until nothing happens waits for threads and for the database too."""

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.domain.database import OpenDatabase, Read, Unit, Write
from bot.testing.fake_clock import FakeClock, run_ready, settle
from bot.testing.pending_work import tasks_at_work

COUNT = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"
    " SELECT max(i) AS last FROM n"
)
"""What takes a database longer than many rounds of the event loop."""


async def streamed(work: Callable[[], object]) -> AsyncIterator[object]:
    yield await asyncio.to_thread(work)


@asynccontextmanager
async def around(work: Callable[[], object]) -> AsyncGenerator[None]:
    await asyncio.to_thread(work)
    yield


class Awaited:
    def __init__(self, work: Callable[[], object]) -> None:
        self.work = work

    def __await__(self) -> Generator[Any, Any, object]:
        return asyncio.to_thread(self.work).__await__()


async def in_a_stream(work: Callable[[], object]) -> None:
    async for _ in streamed(work):
        await run_ready(1)


async def in_a_block(work: Callable[[], object]) -> None:
    async with around(work):
        await run_ready(1)


async def in_an_object(work: Callable[[], object]) -> None:
    await Awaited(work)


@pytest.mark.parametrize("way", [asyncio.to_thread, in_a_stream, in_a_block, in_an_object])
async def test_work_in_a_thread_is_waited_for(
    way: Callable[[Callable[[], object]], Awaitable[object]],
):
    may_end = threading.Event()

    async def worker() -> str:
        await way(may_end.wait)
        return "done"

    async def later() -> None:
        await run_ready(100)
        may_end.set()

    working, opening = asyncio.create_task(worker()), asyncio.create_task(later())
    await settle()
    in_time = working.done()
    await opening
    assert in_time


async def test_reads_and_writes_are_waited_for(database: OpenDatabase):
    reading = asyncio.create_task(database.read(COUNT))
    await settle()
    assert reading.done()
    assert await reading == [{"last": 200000}]


async def test_reads_of_one_journey_are_waited_for(database: OpenDatabase):
    reading = asyncio.create_task(database.read_all(Read(COUNT), Read("SELECT 1 AS n")))
    await settle()
    assert reading.done()
    assert await reading == [[{"last": 200000}], [{"n": 1}]]


async def test_a_write_whose_caller_is_gone_is_waited_for(database: OpenDatabase):
    write = Write("CREATE TABLE things AS " + COUNT)
    writing = asyncio.create_task(database.write(Unit.of(write)))
    await run_ready(2)
    writing.cancel()
    await settle()
    assert not tasks_at_work()
    assert await database.read("SELECT last FROM things") == [{"last": 200000}]


async def test_time_begins_to_pass_when_what_goes_on_is_done():
    clock = FakeClock()
    seen: list[float] = []
    may_end = threading.Event()

    async def worker() -> None:
        await asyncio.to_thread(may_end.wait)
        seen.append(clock.monotonic())

    async def later() -> None:
        await run_ready(100)
        may_end.set()

    tasks = asyncio.create_task(worker()), asyncio.create_task(later())
    await clock.advance(60)
    await asyncio.gather(*tasks)
    assert seen == [0.0]
