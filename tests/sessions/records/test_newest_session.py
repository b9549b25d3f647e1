"""The newest session of a key, which each turn looks up."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.automations.store import started_read
from bot.domain.access import Role
from bot.domain.database import Database, Read, Unit
from bot.domain.sessions import Session, SessionKey
from bot.sessions.records.conversation_store import unseen_read
from bot.sessions.records.session_store import (
    PrefixText,
    end_write,
    newest_read,
    newest_session,
    open_write,
    seen_read,
)
from bot.storage.home import open_database

AT = datetime(2026, 11, 23, tzinfo=UTC)
KEY = SessionKey("discord", "w", "general", "ann")


async def open_session(database: Database, name: str, hours: int, key: SessionKey = KEY) -> None:
    session = Session(name, key, "all", Role.FRIEND, AT + timedelta(hours=hours), AT)
    await database.write(Unit.of(open_write(session, PrefixText("[]", "[]"))))


async def end(database: Database, name: str) -> None:
    await database.write(Unit.of(end_write(name, "idle", AT)))


async def test_the_open_session_goes_before_the_one_that_was_opened_last(database: Database):
    async def newest() -> str | None:
        stored = await newest_session(database, KEY)
        return stored.session.id if stored else None

    assert await newest() is None
    for name, hours in (("late", 9), ("same b", 5), ("same a", 5)):
        await open_session(database, name, hours)
        assert await newest() == name
        await end(database, name)
    assert await newest() == "late"
    await open_session(database, "open", 1)
    await open_session(database, "another", 20, SessionKey("discord", "w", "general", "ben"))
    assert await newest() == "open"
    await end(database, "open")
    await end(database, "late")
    assert await newest() == "late"


async def test_what_each_message_and_turn_asks_costs_no_more_in_an_old_home(tmp_path: Path):
    """All by an index: no table is read whole, and no rows of a key are sorted to find one."""
    database = await open_database(tmp_path / "bellhop.db")

    async def plan(read: Read) -> list[str]:
        rows = await database.read(f"EXPLAIN QUERY PLAN {read.sql}", read.params)
        return [str(row["detail"]) for row in rows]

    newest = await plan(newest_read(KEY))
    assert "USE TEMP B-TREE FOR ORDER BY" not in newest
    unseen = await plan(unseen_read(KEY.conversation_key, "discord:1", seen_read(KEY), 60))
    started = await plan(started_read("discord:w:general", "discord:w"))
    own = ("SCAN asked", "SCAN m ", "SCAN CONSTANT ROW")
    for step in (*newest, *unseen, *started):
        assert not step.startswith("SCAN") or step.startswith(own), step
    await database.close()
