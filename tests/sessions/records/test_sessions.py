"""Sessions: which is the newest, and their transcripts."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.automations.store import started_read
from bot.domain.access import Role
from bot.domain.database import Database, Read, Unit
from bot.domain.sessions import Session, SessionKey, StoredBlock, TranscriptMessage
from bot.sessions.records import transcript_store
from bot.sessions.records.conversation_store import (
    newest_key_read,
    unseen_read,
)
from bot.sessions.records.session_store import (
    end_write,
    newest_read,
    newest_session,
    open_write,
    seen_read,
)
from bot.sessions.records.transcript_store import transcript
from bot.storage.home import open_database
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.tools.permission.store import LEFT_OF

AT = datetime(2026, 11, 23, tzinfo=UTC)
KEY = SessionKey("discord", "w", "general", "ann")


async def open_session(database: Database, name: str, hours: int, key: SessionKey = KEY) -> None:
    session = Session(name, key, "all", Role.FRIEND, AT + timedelta(hours=hours), AT)
    await database.write(Unit.of(open_write(session, "[]", "[]")))


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
    why = await plan(newest_key_read(KEY.conversation_key, "ann"))
    bundle = await plan(Read(LEFT_OF, ('["a1"]',)))
    own = ("SCAN asked", "SCAN m ", "SCAN CONSTANT ROW", "SCAN json_each")
    for step in (*newest, *unseen, *started, *why, *bundle):
        assert not step.startswith("SCAN") or step.startswith(own), step
    await database.close()


async def test_memory_holds_the_newest_and_what_was_let_go_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(transcript_store, "KEPT_BYTES", 14_000)
    people = ("ann", "ben", "cleo", "dora")
    model = PlanModel({})
    async with running_app(tmp_path, model, FakeChat()) as house:
        for number in range(3):
            for person in people:
                assert await house.ask_own(person, f"{person} says {number}") == "Done."
        await house.until_idle()
        kept = vars(house.app.house.records.transcripts)
        assert kept["_bytes"] == sum(one.size for one in kept["_kept"].values())
        assert 0 < len(kept["_kept"]) < len(people)
        await house.ask_own("ann", "ann says 3")
    words = str(model.requests[-1].messages)
    assert [f"ann says {number}" in words for number in range(4)] == [True] * 4
    assert "ben says" not in words


async def test_a_conversation_longer_than_the_bound_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(transcript_store, "KEPT_BYTES", 1)
    reads: list[str] = []

    async def counted(
        database: Database, session: Session, since: int, before: int
    ) -> list[TranscriptMessage]:
        reads.append(session.id)
        return await transcript(database, session, since, before)

    monkeypatch.setattr(transcript_store, "transcript", counted)
    async with running_app(tmp_path, PlanModel({}), FakeChat()) as house:
        for number in range(4):
            assert await house.ask_own("ann", f"ann says {number}") == "Done."
        await house.until_idle()
        assert len(reads) == 1
        await house.ask_own("ben", "ben says 0")
        await house.ask_own("ann", "ann says 4")
    assert len(reads) == 3


def test_an_image_counts_with_its_data():
    image = {"type": "image", "source": {"type": "base64", "data": "A" * 50_000}}
    kept = transcript_store._Kept(0)  # pyright: ignore[reportPrivateUsage]
    assert kept.extend([TranscriptMessage("user", (StoredBlock(image),))]) > 50_000


async def test_only_new_messages_of_another_process_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Two caches over one database are two processes that take turns with a session."""
    reads: list[int] = []

    async def counted(
        database: Database, session: Session, since: int, before: int
    ) -> list[TranscriptMessage]:
        reads.append(since)
        return await transcript(database, session, since, before)

    async with running_app(tmp_path, PlanModel({}), FakeChat()) as house:
        await house.ask_own("ann", "one")
        await house.until_found("SELECT 1 FROM transcript WHERE message LIKE '%one%'")
        other = transcript_store.Transcripts(house.app.database)
        sessions = house.app.house.records.sessions
        [row] = await house.rows("SELECT id FROM sessions")
        monkeypatch.setattr(transcript_store, "transcript", counted)

        async def known_to(cache: transcript_store.Transcripts) -> str:
            stored = await sessions.load(row["id"])
            assert stored is not None
            return str(await cache.load(stored))

        first = await known_to(other)
        await house.ask_own("ann", "two")
        await house.ask_own("ann", "three")
        await house.until_found("SELECT 1 FROM transcript WHERE message LIKE '%three%'")
        last = await known_to(other)
        assert "two" not in first
        assert all(words in last for words in ("one", "two", "three"))
        assert last == await known_to(other)
        assert last == await known_to(house.app.house.records.transcripts)
        assert [since > 0 for since in reads] == [False, True]
