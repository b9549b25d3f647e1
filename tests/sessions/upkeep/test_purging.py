"""Old data goes in small units, and no key goes whose event may still be delivered."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from bot.agents.cycle_log.log_store import CycleLog
from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write
from bot.domain.messages import Conversation, Heard, Place
from bot.sessions.inbox.catch_up import FORGET_THREADS, Recoveries
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.records.recovery_store import begin_write, mark_write
from bot.sessions.settings import CatchUpSettings
from bot.sessions.upkeep import purge_store
from bot.sessions.upkeep.housekeeping import PURGE_EVERY, STEADY, Purging
from bot.storage.home import open_database
from bot.testing.crash_points import CrashingDatabase, CrashPoint, ProcessGone, crash_points
from bot.testing.fake_clock import FakeClock
from bot.turns.engine import TurnEngine
from bot.turns.purge_store import PURGED_AT_ONCE

DAY = timedelta(days=1)
YEARS = 400 * 24 * 3600.0
ROOM = Conversation("discord", "w", "room", Place.CHANNEL)
THREAD = Conversation("discord", "w", "10", Place.THREAD)


class FlowingClock(FakeClock):
    """Lets time pass by itself where somebody sleeps."""

    pauses = 0

    async def sleep(self, seconds: float) -> None:
        self.pauses += 1
        await self.advance(seconds)


def purging(database: Database, clock: FakeClock, days: float = 7) -> Purging:
    engine = TurnEngine(database, clock, owner="me")
    log = CycleLog(database)
    return Purging(database, clock, engine, log, timedelta(days=days), DAY)


@asynccontextmanager
async def opened(folder: Path) -> AsyncGenerator[Database]:
    database = await open_database(folder / "bellhop.db")
    try:
        yield database
    finally:
        await database.close()


async def heard(
    database: Database, clock: FakeClock, first: int, count: int, *, mark: int | None = None
) -> None:
    """This many messages of a channel, settled, written and heard now; the mark is `mark`."""
    at = format_utc(clock.now())
    for number in range(first, first + count):
        unit = Unit.of(
            Write(
                "INSERT INTO inbox (session, key, body, state, accepted_at, settled_at)"
                " VALUES ('s', ?, '{}', 'done', ?, ?)",
                (f"discord:{number}", at, at),
            ),
            Write(
                "INSERT INTO steps (turn, key, state) VALUES (last_insert_rowid(), "
                "'send:answer', 'done')"
            ),
            Write(
                "INSERT INTO messages (key, conversation, author, author_name, trust, text, at, "
                "place)"
                " VALUES (?, ?, 'ann', 'Ann', 'member', 'hi', ?, ?)",
                (f"discord:{number}", ROOM.key, at, ROOM.key),
            ),
            Write(
                "INSERT INTO cycle_events (cycle_id, turn, step, type, at, session_id, person, "
                "agent, private, data)"
                " VALUES (?, ?, 'start', 'cycle_start', ?, 's', 'ann', 'a', 0, '{}')",
                (f"c{number}", number, at),
            ),
        )
        await database.write(unit)
    await database.write(
        Unit.of(
            mark_write(Heard(ROOM, str(first + count - 1 if mark is None else mark), clock.now()))
        )
    )


async def keys(database: Database, table: str = "inbox") -> list[int]:
    rows = await database.read(f"SELECT key FROM {table} ORDER BY id")  # noqa: S608 - tables of this test
    return [int(row["key"].rpartition(":")[2]) for row in rows]


async def test_a_clock_that_jumps_ahead_for_seconds_forgets_nothing(tmp_path: Path):
    clock = FlowingClock()
    async with opened(tmp_path) as database:
        await heard(database, clock, 100, 3)
        keeping = purging(database, clock)
        await clock.advance(2 * STEADY.total_seconds())
        clock.jump(YEARS)
        await keeping.look()
        assert await keys(database) == [100, 101, 102]
        clock.jump(-YEARS)
        await keeping.look()
        # and a process that starts while the clock is wrong goes by what the platforms have dated
        clock.jump(YEARS)
        again = purging(database, clock)
        await clock.advance(2 * STEADY.total_seconds())
        await again.look()
        assert await keys(database) == [100, 101, 102]


async def test_old_rows_go_once_the_clock_was_steady(tmp_path: Path):
    clock = FlowingClock()
    async with opened(tmp_path) as database:
        await heard(database, clock, 100, 3)
        await clock.advance(10 * DAY.total_seconds())
        await heard(database, clock, 200, 1)
        keeping = purging(database, clock)
        await keeping.look()
        assert len(await keys(database)) == 4
        await clock.advance(STEADY.total_seconds())
        await keeping.look()
        for table in ("inbox", "messages"):
            assert await keys(database, table) == [200], table
        assert len(await database.read("SELECT 1 FROM cycle_events")) == 1
        assert len(await database.read("SELECT 1 FROM steps")) == 1
        await clock.advance(10 * DAY.total_seconds())
        await heard(database, clock, 300, 1)
        await clock.advance(PURGE_EVERY.total_seconds())
        await keeping.look()
        assert await keys(database) == [300]


async def test_keys_behind_the_mark_of_their_place_stay_until_it_has_moved(tmp_path: Path):
    clock = FlowingClock()
    async with opened(tmp_path) as database:
        await heard(database, clock, 99, 4, mark=100)
        await clock.advance(30 * DAY.total_seconds())
        elsewhere = Conversation("discord", "w", "other", Place.CHANNEL)
        await database.write(Unit.of(mark_write(Heard(elsewhere, "7", clock.now()))))
        await purging(database, clock).purge()
        assert await keys(database) == [101, 102]
        assert await keys(database, "messages") == [101, 102]
        await database.write(Unit.of(mark_write(Heard(ROOM, "102", clock.now()))))
        await purging(database, clock).purge()
        assert await keys(database) == []


@pytest.mark.parametrize(("platform", "left"), [("discord", [100, 101]), ("slack", [])])
async def test_messages_during_a_catch_up_stay_until_its_end(
    tmp_path: Path, platform: str, left: list[int]
):
    clock = FlowingClock()
    async with opened(tmp_path) as database:
        await database.write(Unit.of(begin_write(platform, clock.now())))
        await heard(database, clock, 100, 2)
        await clock.advance(30 * DAY.total_seconds())
        await database.write(Unit.of(mark_write(Heard(ROOM, "102", clock.now()))))
        await purging(database, clock).purge()
        assert await keys(database) == left


async def test_keys_outlast_the_window_of_catch_up_whatever_keep_days_says(tmp_path: Path):
    clock = FlowingClock()
    async with opened(tmp_path) as database:
        await heard(database, clock, 100, 1)
        await clock.advance(1.5 * DAY.total_seconds())
        await database.write(Unit.of(mark_write(Heard(ROOM, "101", clock.now()))))
        await purging(database, clock, days=0.1).purge()
        assert await keys(database) == [100]


async def test_thread_marks_survive_a_wrong_clock_and_purged_ones_stay_gone(tmp_path: Path):
    clock = FakeClock()
    async with opened(tmp_path) as database:
        outbox = Outbox(database, clock, [])
        recoveries = Recoveries(database, clock, CatchUpSettings(), lambda: outbox)
        thread = (
            "INSERT INTO conversations (key, platform, workspace, id, place, private, followed, "
            "created_at, updated_at)"
            " VALUES (?, 'discord', 'w', '10', 'thread', 0, 1, ?, ?)"
        )
        at = format_utc(clock.now())
        await database.write(
            Unit.of(
                Write(thread, (THREAD.key, at, at)), mark_write(Heard(THREAD, "50", clock.now()))
            )
        )
        await database.write(Unit.of(mark_write(Heard(ROOM, "50", clock.now()))))
        clock.jump(YEARS)
        await recoveries.finish("discord")
        clock.jump(-YEARS)
        assert {mark.position for mark in (await recoveries.begin("discord")).marks} == {"50"}
        clock.jump((FORGET_THREADS + DAY).total_seconds())
        await database.write(Unit.of(mark_write(Heard(ROOM, "60", clock.now()))))
        await recoveries.finish("discord")
        assert [mark.place.key for mark in (await recoveries.begin("discord")).marks] == [ROOM.key]


class Busy(CrashingDatabase):
    """Notes how much each unit writes."""

    largest = 0

    async def write(self, unit: Unit):
        self.largest = max(self.largest, len(unit.writes))
        return await super().write(unit)


async def test_thousands_of_turns_are_purged_in_small_units_with_pauses(tmp_path: Path):
    clock, path = FlowingClock(), tmp_path / "bellhop.db"
    async with opened(tmp_path) as database:
        at, rows = format_utc(clock.now()), 3000
        insert = (
            "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
            " INSERT INTO inbox (session, key, body, state, accepted_at, settled_at)"
            " SELECT 's', 'k' || i, printf('%.1000c', 'x'), 'done', ?, ? FROM n"
        )
        await database.write(Unit.of(Write(insert, (rows, at, at))))
        await clock.advance(30 * DAY.total_seconds())
        size = (await database.read("PRAGMA page_count"))[0]["page_count"]
        busy = Busy(database)
        await purging(busy, clock).purge()
        assert await database.read("SELECT 1 FROM inbox") == []
        assert clock.pauses >= rows // PURGED_AT_ONCE
        assert busy.largest <= purge_store.PAGES_AT_ONCE
        left = (await database.read("PRAGMA page_count"))[0]["page_count"]
        page = (await database.read("PRAGMA page_size"))[0]["page_size"]
        assert left < size - 300
        assert await purge_store.free_pages(database) <= purge_store.SPARE_PAGES
    assert path.stat().st_size == left * page


async def test_a_purge_that_is_cut_off_anywhere_is_finished_by_the_next(tmp_path: Path):
    async def story(point: CrashPoint | None, folder: Path) -> list[str]:
        clock = FlowingClock()
        async with opened(folder) as database:
            await heard(database, clock, 100, 25, mark=119)
            await clock.advance(30 * DAY.total_seconds())
            await heard(database, clock, 200, 1)
            await database.write(Unit.of(Write("UPDATE recovery_marks SET position = '119'")))
            crashing = CrashingDatabase(database, point)
            with suppress(ProcessGone):
                await purging(crashing, clock).purge()
            assert crashing.gone is (point is not None)
            await purging(database, clock).purge()
            for table in ("inbox", "messages"):
                assert await keys(database, table) == [*range(120, 125), 200], (table, point)
            orphans = await database.read(
                "SELECT 1 FROM steps WHERE turn NOT IN (SELECT id FROM inbox)"
            )
            assert orphans == [], point
            return crashing.commits

    commits = await story(None, tmp_path / "calm")
    assert len(commits) >= 4
    for number, point in enumerate(crash_points(commits)):
        await story(point, tmp_path / str(number))
