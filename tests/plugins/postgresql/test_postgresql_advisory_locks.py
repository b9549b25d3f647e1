"""Advisory locks: one process has each, and the server frees those of a process that is gone."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from bot.plugins.postgresql import advisory_locks
from bot.plugins.postgresql.advisory_locks import AdvisoryLocks
from bot.plugins.postgresql.connecting import Server
from bot.plugins.postgresql.database import PostgresDatabase
from bot.testing.postgres_server import PostgresServer

CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1"
    " AND granted"
)


@pytest.fixture
async def other(there: PostgresDatabase) -> AsyncGenerator[AdvisoryLocks]:
    """The locks of another process."""
    locks = AdvisoryLocks(there.server)
    yield locks
    await locks.close()


@pytest.fixture
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advisory_locks, "LOOK_S", 0.01)


async def until_taken(locks: AdvisoryLocks, name: str) -> None:
    """A server that ends a connection frees its locks a moment later."""
    async with asyncio.timeout(60):
        while not await locks.take(name):  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0)


ACTIVE = (
    "SELECT state_change FROM pg_locks JOIN pg_stat_activity USING (pid)"
    " WHERE locktype = 'advisory' AND objsubid = 1"
)


def name_of(server: Server) -> str:
    return server.name.split()[2]


async def test_one_of_two_processes_has_a_lock_until_it_is_gone(
    there: PostgresDatabase, other: AdvisoryLocks
):
    assert not await there.locks.held("shard 0")
    assert await there.locks.take("shard 0")
    assert await there.locks.take("shard 0"), "it has it already"
    assert not await other.take("shard 0")
    assert await other.held("shard 0")
    assert await other.take("shard 1")
    await there.locks.release("shard 0")
    assert await other.take("shard 0")
    assert other.names == {"shard 0", "shard 1"}
    await other.close()
    await until_taken(there.locks, "shard 0")
    await until_taken(there.locks, "shard 1")


async def test_after_a_cut_it_has_its_locks_again(
    there: PostgresDatabase, other: AdvisoryLocks, postgres: PostgresServer
):
    assert await there.locks.take("a")
    postgres.run_sql(name_of(there.server), CUT)
    assert await there.locks.held("a"), "the new connection took it first"
    assert not await other.take("a")


@pytest.mark.usefixtures("looks_often")
async def test_a_holder_that_lost_its_lock_is_told(
    there: PostgresDatabase, other: AdvisoryLocks, postgres: PostgresServer
):
    assert await there.locks.take("a")
    gone = asyncio.create_task(there.locks.lost("a"))
    async with there.locks._one_at_a_time:  # pyright: ignore[reportPrivateUsage]
        postgres.run_sql(name_of(there.server), CUT)
        await until_taken(other, "a")
    await asyncio.wait_for(gone, 60)
    assert there.locks.names == frozenset()


@pytest.mark.usefixtures("looks_often")
async def test_without_a_server_every_lock_counts_as_lost(
    there: PostgresDatabase, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(advisory_locks, "GIVE_UP_S", 0.0)
    assert await there.locks.take("a")
    gone = asyncio.create_task(there.locks.lost("a"))
    await asyncio.to_thread(postgres.stop)
    try:
        await asyncio.wait_for(gone, 60)
    finally:
        await asyncio.to_thread(postgres.start)
    assert await there.locks.take("a")


@pytest.mark.usefixtures("looks_often")
async def test_while_a_server_is_away_for_a_moment_no_lock_counts_as_lost(
    there: PostgresDatabase, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(advisory_locks, "GIVE_UP_S", 500.0)
    monkeypatch.setattr(advisory_locks, "SURE_S", 1_000.0)
    assert await there.locks.take("a")
    gone = asyncio.create_task(there.locks.lost("a"))
    await asyncio.to_thread(postgres.stop)
    try:
        async with asyncio.timeout(60):
            while not vars(there.locks)["_is_away"]:  # noqa: ASYNC110 - only the log tells
                await asyncio.sleep(0)
    finally:
        await asyncio.to_thread(postgres.start)
    assert await there.locks.take("a")
    assert (there.locks.names, gone.done()) == ({"a"}, False)
    gone.cancel()


@pytest.mark.usefixtures("looks_often")
async def test_the_lock_of_a_process_that_stands_still_is_taken_over(
    there: PostgresDatabase,
    other: AdvisoryLocks,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    monkeypatch.setattr(advisory_locks, "FROZEN_S", 0.05)
    frozen = there.locks
    assert await frozen.take("a")
    gone = asyncio.create_task(frozen.lost("a"))
    async with frozen._one_at_a_time:  # pyright: ignore[reportPrivateUsage]
        await until_taken(other, "a")
    assert "stands still; its connection was ended" in caplog.text
    await asyncio.wait_for(gone, 60)
    assert frozen.names == frozenset()
    await other.close()
    await until_taken(frozen, "a")


@pytest.mark.usefixtures("looks_often")
async def test_a_holder_shows_signs_of_life_and_keeps_its_lock(
    there: PostgresDatabase,
    other: AdvisoryLocks,
    postgres: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(advisory_locks, "FROZEN_S", 3600.0)
    name = name_of(there.server)
    assert await there.locks.take("a")
    before = await asyncio.to_thread(postgres.run_sql, name, ACTIVE)
    async with asyncio.timeout(60):
        while await asyncio.to_thread(postgres.run_sql, name, ACTIVE) == before:
            pass
    assert not await other.take("a")
    assert await there.locks.take("a")


@pytest.mark.usefixtures("looks_often")
async def test_a_frozen_holder_lets_go_before_others_take_over(
    there: PostgresDatabase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(advisory_locks, "SURE_S", 0.0)
    late, other = AdvisoryLocks(there.server), there.locks
    assert await late.take("a")
    await asyncio.wait_for(late.lost("a"), 60)
    assert "this process stood still; its locks are lost" in caplog.text
    await until_taken(other, "a")
    await other.release("a")
    await until_taken(late, "a")
    await late.release("a")
    await until_taken(other, "a")
    await late.close()


async def test_another_user_of_the_server_says_once_that_it_cannot_take_over(
    there: PostgresDatabase, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
):
    name = name_of(there.server)
    await asyncio.to_thread(postgres.add_user, "stranger", "secret")
    url = f"postgresql://stranger:secret@/{name}?host={postgres.folder}"
    stranger = AdvisoryLocks(Server.at(url))
    assert await there.locks.take("a")
    assert not await stranger.take("a")
    assert not await stranger.take("a")
    assert caplog.text.count("can't see or end the connection that has a lock") == 1
    assert await there.locks.take("a")
    await stranger.close()


async def test_a_server_that_is_away_is_told_once(
    there: PostgresDatabase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(advisory_locks, "LOOK_S", 0.001)
    monkeypatch.setattr(advisory_locks, "GIVE_UP_S", 0.05)
    locks = AdvisoryLocks(there.server)
    assert await locks.take("shard 0")
    vars(locks)["_server"] = Server.at("postgresql://nobody@127.0.0.1:1/nothing")
    await vars(locks)["_connection"].close()
    await locks.lost("shard 0")
    assert caplog.text.count("locks may be lost") == 1
    await locks.close()
