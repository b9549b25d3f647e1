"""`/memory forget everywhere` on PostgreSQL: no table file of the server holds the words."""

import asyncio
from pathlib import Path

import pytest

from bot.testing.app_lives import AppLives
from bot.testing.byte_search import holding
from bot.testing.kept_databases import PostgresKept, keep_in
from bot.testing.postgres_server import PostgresServer
from tests.flows.test_forgetting_everywhere import (
    HELD,
    OTHER,
    STAYS,
    WORD,
    a_model,
    forget,
    people,
    play,
    tables,
)


@pytest.mark.slow
async def test_no_byte_of_the_tables_holds_the_words(home: Path, postgres: PostgresServer):
    people(home)
    name = postgres.database()
    keep_in(home, PostgresKept(postgres.url(name)))
    lives = AppLives(home)
    own = postgres.run_sql("postgres", f"SELECT oid FROM pg_database WHERE datname = '{name}'")  # noqa: S608
    # The other databases of the server, which may be dozens, were never told the words.
    files = [home, postgres.folder / "data" / "base" / own, postgres.folder / "data" / "global"]
    async with lives.life(a_model(lives)) as life:
        await play(life, lives)
        assert await tables(life) >= HELD
        postgres.run_sql("postgres", "CHECKPOINT")
        held = await asyncio.to_thread(holding, files, [WORD, OTHER])
        assert len(held) > len(HELD)
        told = await forget(life, lives, WORD)
        assert "Holds the words still: the server's write-ahead log" in told
        await forget(life, lives, OTHER)
        await life.settle()
    postgres.run_sql("postgres", "CHECKPOINT")
    found = await asyncio.to_thread(holding, files, [WORD, OTHER])
    assert found == {}
    assert holding(files, [STAYS]) != {}
