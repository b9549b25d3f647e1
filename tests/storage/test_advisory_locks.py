"""Advisory locks: one process has each, and the server frees those of a process that is gone."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from bot.storage.postgresql import advisory_locks
from bot.storage.postgresql.advisory_locks import AdvisoryLocks
from bot.storage.postgresql.connecting import Server
from bot.storage.postgresql.database import PostgresDatabase
from bot.testing.postgres_server import PostgresServer, postgres_programs

CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1"
    " AND granted"
)


@pytest.fixture
async def there(postgres: PostgresServer) -> AsyncGenerator[PostgresDatabase]:
    async with postgres.opened() as opened:
        yield opened


async def until_taken(locks: AdvisoryLocks, name: str) -> None:
    """A server that ends a connection frees its locks a moment later."""
    async with asyncio.timeout(60):
        while not await locks.take(name):  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0)


def name_of(server: Server) -> str:
    return server.name.split()[2]


if postgres_programs():

    async def test_one_of_two_processes_has_a_lock_until_it_is_gone(there: PostgresDatabase):
        other = AdvisoryLocks(there.server)
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
        there: PostgresDatabase, postgres: PostgresServer
    ):
        assert await there.locks.take("a")
        postgres.run_sql(name_of(there.server), CUT)
        assert await there.locks.held("a"), "the new connection took it first"
        other = AdvisoryLocks(there.server)
        assert not await other.take("a")
        await other.close()

    async def test_who_comes_too_late_after_a_cut_is_told(
        there: PostgresDatabase, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(advisory_locks, "LOOK_S", 0.01)
        assert await there.locks.take("a")
        gone = asyncio.create_task(there.locks.lost("a"))
        other = AdvisoryLocks(there.server)
        async with there.locks._one_at_a_time:  # pyright: ignore[reportPrivateUsage]
            postgres.run_sql(name_of(there.server), CUT)
            await until_taken(other, "a")
        await asyncio.wait_for(gone, 60)
        assert there.locks.names == frozenset()
        await other.close()

    async def test_without_a_server_every_lock_counts_as_lost(
        there: PostgresDatabase, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(advisory_locks, "LOOK_S", 0.01)
        monkeypatch.setattr(advisory_locks, "GIVE_UP_S", 0.0)
        assert await there.locks.take("a")
        gone = asyncio.create_task(there.locks.lost("a"))
        await asyncio.to_thread(postgres.stop)
        try:
            await asyncio.wait_for(gone, 60)
        finally:
            await asyncio.to_thread(postgres.start)
        assert await there.locks.take("a")
