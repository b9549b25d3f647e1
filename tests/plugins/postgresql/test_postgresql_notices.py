"""Notices over a real server, where others may send on the same channels."""

import asyncio
from contextlib import suppress

from bot.plugins.postgresql.connecting import Server
from bot.plugins.postgresql.notices import PostgresNotices
from bot.testing.postgres_server import PostgresServer

LONG = "ä" * 20_000


async def test_foreign_notices_are_dropped_and_long_texts_arrive_whole(postgres: PostgresServer):
    name = await asyncio.to_thread(postgres.take)
    notices = PostgresNotices(Server.at(postgres.url(name)))
    heard: asyncio.Queue[str] = asyncio.Queue()
    notices.listen("gateways", heard.put_nowait)
    running = asyncio.create_task(notices.run())
    try:
        async with asyncio.timeout(60):
            await notices.listening.wait()
            for payload in ("nonsense", "", "1:x:y", "f:3:begun", "f:3:begun again", "f:2:"):
                foreign = f"SELECT pg_notify('bellhop_gateways', '{payload}')"
                await asyncio.to_thread(postgres.run_sql, name, foreign)
            notices.post("gateways", LONG)
            notices.post("gateways", "short")
            assert [await heard.get(), await heard.get()] == [LONG, "short"]
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        postgres.give_back(name)


async def test_a_stop_while_the_server_is_gone_ends_at_once(postgres: PostgresServer):
    name = await asyncio.to_thread(postgres.take)
    notices, heard = PostgresNotices(Server.at(postgres.url(name))), asyncio.Queue[str]()
    notices.listen("gateways", heard.put_nowait)
    running = asyncio.create_task(notices.run())
    end_all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    async with asyncio.timeout(60):
        await notices.listening.wait()
        await asyncio.to_thread(
            postgres.run_sql,
            name,
            f"{end_all} WHERE datname = '{name}' AND pid <> pg_backend_pid()",
        )
        running.cancel()
        await asyncio.sleep(0)  # its two tasks are cancelled now, and have not heard of it
        notices.post("gateways", "the last words")
        await asyncio.wait({running})
    assert running.cancelled()
    postgres.give_back(name)
