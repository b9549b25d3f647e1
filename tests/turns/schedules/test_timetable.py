"""Each tick comes exactly once, whatever happened to the process in between."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.clock import format_utc, parse_utc
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.turns import Turn
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.engine_lives import Life, Lives
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.waiting import until
from bot.turns.engine import TurnEngine
from bot.turns.schedules import store
from bot.turns.schedules.cron import next_due
from bot.turns.schedules.timetable import GRACE, Timetable


def coming(cron: str, zone: str, after: datetime) -> datetime:
    """The next time of one that goes on for good."""
    found = next_due(cron, zone, after)
    assert found is not None
    return found


def make(database: Database, clock: Clock) -> TurnEngine:
    return TurnEngine(database, clock, owner="test", drain_s=0)


class Ticks:
    def __init__(self) -> None:
        self.keys: list[str] = []

    async def run(self, turn: Turn) -> None:
        assert turn.body == {"prompt": "report"}
        self.keys.append(turn.key)


@pytest.fixture
async def lives(tmp_path: Path) -> Lives:
    return await Lives.begin(tmp_path, make)


async def put(
    life: Life, session: str, cron: str | None, zone: str = "UTC", due: datetime | None = None
) -> int:
    """Have it tick by a cron or once, as a unit of a tool does; returns the schedule's id."""
    now = life.clock.now()
    due = due or coming(str(cron), zone, now)
    insert = store.insert(session, {"prompt": "report"}, cron, zone, due, now)
    written = await life.database.write(Unit.of(insert))
    await life.engine.timetable.refresh()
    return int(written.returned[0][0]["id"])


async def next_of(life: Life, schedule: int) -> datetime | None:
    found = await store.read(life.database, schedule)
    assert found is not None
    return found.next_due


async def changed(life: Life, write: Write) -> bool:
    written = await life.database.write(Unit.of(write))
    await life.engine.timetable.refresh()
    return bool(written.returned[0])


async def test_cron_ticks_again_and_again_under_keys_of_their_own(lives: Lives):
    ticks = Ticks()
    async with lives.life(ticks.run) as life:
        schedule = await put(life, "s", "*/10 * * * *", "Europe/Berlin")
        start = lives.clock.now()
        for count in range(1, 4):
            await life.advance(600)
            await until(lambda count=count: len(ticks.keys) == count)
        due = [start + timedelta(minutes=10 * number) for number in range(1, 4)]
        assert ticks.keys == [f"schedule:{schedule}:{format_utc(moment)}" for moment in due]
        assert not await life.engine.submit("s", ticks.keys[0], {})


async def test_ticks_missed_while_off_come_once_or_are_skipped(lives: Lives):
    ticks = Ticks()
    start = lives.clock.now()
    async with lives.life(ticks.run) as life:
        once = await put(life, "a", None, due=lives.clock.now() + timedelta(minutes=30))
        again = await put(life, "b", "0 * * * *")
    lives.clock = FakeClock(start + timedelta(hours=5, minutes=30))
    async with lives.life(ticks.run) as life:
        await until(lambda: len(ticks.keys) == 1)
        await life.advance(1800)
        await until(lambda: len(ticks.keys) == 2)
        assert await next_of(life, once) is None
        assert await next_of(life, again) == start + timedelta(hours=7)
    assert [key.split(":")[1] for key in ticks.keys] == [str(once), str(again)]
    assert ticks.keys[1].endswith(format_utc(start + timedelta(hours=6)))


async def test_a_cron_that_missed_its_time_by_seconds_comes_at_the_start(lives: Lives):
    ticks = Ticks()
    start = lives.clock.now()
    async with lives.life(ticks.run) as life:
        schedule = await put(life, "s", "0 * * * *")
        await lives.clock.advance(3599)
    await lives.clock.advance(20)
    async with lives.life(ticks.run) as life:
        await until(lambda: len(ticks.keys) == 1)
        await until(lambda: not life.engine.busy)
        assert await next_of(life, schedule) == start + timedelta(hours=2)
    async with lives.life(ticks.run) as life:  # a second start within the grace
        await life.started()
        assert await next_of(life, schedule) == start + timedelta(hours=2)
    assert ticks.keys == [f"schedule:{schedule}:{format_utc(start + timedelta(hours=1))}"]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    cron=st.sampled_from(["0 * * * *", "*/15 * * * *", "*/2 * * * *", "30 9 * * *"]),
    lives_of=st.lists(
        st.tuples(st.integers(0, 4000), st.integers(0, 1200)), min_size=1, max_size=4
    ),
)
async def test_a_cron_fires_each_time_unless_missed_by_minutes(
    lives: Lives, cron: str, lives_of: list[tuple[int, int]]
):
    """`lives_of`: for how many seconds it ran, and for how many it was away then."""
    database = await lives.kept.open()
    clock, ran = FakeClock(), list[tuple[datetime, datetime]]()
    await database.write(
        Unit.of(Write("DELETE FROM schedules"), Write("DELETE FROM schedule_ticks"))
    )
    first = coming(cron, "UTC", clock.now())
    insert = store.insert("s", {"prompt": "report"}, cron, "UTC", first, clock.now())
    schedule = int((await database.write(Unit.of(insert))).returned[0][0]["id"])
    for runs, away in [*lives_of, (0, 0)]:
        timetable, begun = Timetable(database, clock, _ignore, _ignore), clock.now()
        end = begun + timedelta(seconds=runs)
        await timetable.start()
        while (due := timetable.next_due()) is not None and due <= end:
            await clock.advance(max(0.0, (due - clock.now()).total_seconds()))
            await timetable.fire()
        await clock.advance((end - clock.now()).total_seconds())
        ran.append((begun, end))
        await clock.advance(away)
    rows = await database.read("SELECT due FROM schedule_ticks WHERE schedule = ?", (schedule,))
    await database.close()
    came = {parse_utc(row["due"]) for row in rows}
    due = first
    while due <= ran[-1][1]:
        start = min(begun for begun, end in ran if due <= end)
        following = coming(cron, "UTC", due)
        before = due - (following - due)
        if start < due or start - due < GRACE <= start - before:
            assert due in came, f"{due} was lost at the start at {start}"
        elif start - due >= GRACE:
            assert due not in came, f"{due} came at the start at {start}"
        due = following


def _ignore(*_what: object) -> None:
    """For a timetable that nothing runs for."""


async def test_pause_resume_and_cancel(lives: Lives):
    ticks = Ticks()
    async with lives.life(ticks.run) as life:
        schedule = await put(life, "s", "* * * * *")
        assert await changed(life, store.pause(schedule))
        await lives.clock.advance(600)
        assert ticks.keys == []
        due = coming("* * * * *", "UTC", lives.clock.now())
        assert await changed(life, store.resume(schedule, due))
        await life.advance(60)
        await until(lambda: len(ticks.keys) == 1)
        assert await changed(life, store.remove(schedule))
        await lives.clock.advance(600)
        assert len(ticks.keys) == 1
        assert not await changed(life, store.pause(schedule))
        assert not await changed(life, store.resume(schedule, due))
        assert not await changed(life, store.remove(schedule))


async def test_a_schedule_written_by_somebody_else_counts_after_a_refresh(lives: Lives):
    ticks = Ticks()
    async with lives.life(ticks.run) as life:
        now = lives.clock.now()
        write = store.insert(
            "s", {"prompt": "report"}, None, "UTC", now + timedelta(seconds=5), now
        )
        await life.database.write(Unit.of(write))
        await life.engine.timetable.refresh()
        await life.advance(5)
        await until(lambda: len(ticks.keys) == 1)


async def test_no_tick_is_lost_or_doubled_by_a_crash(tmp_path: Path):
    async def story(point: CrashPoint | None) -> list[str]:
        lives = await Lives.begin(tmp_path, make)
        now = lives.clock.now()
        insert = store.insert(
            "s", {"prompt": "report"}, None, "UTC", now + timedelta(seconds=60), now
        )
        ticks = Ticks()
        commits: list[list[str]] = []
        for end in (point, None):
            async with lives.life(ticks.run, point=end) as life:
                commits.append(life.database.commits)
                await life.started()
                if not await life.database.read("SELECT id FROM schedules"):
                    await life.database.write(Unit.of(insert))
                    await life.engine.timetable.refresh()
                await lives.clock.advance(max(0, 60 - lives.clock.monotonic()))
                while not await life.database.read(
                    "SELECT id FROM inbox WHERE settled_at IS NOT NULL"
                ):
                    await settle()
            assert life.database.gone is (end is not None), f"{end} of {life.database.commits}"
        assert set(ticks.keys) == {f"schedule:1:{format_utc(now + timedelta(seconds=60))}"}
        assert lives.between_lives("SELECT count(*) FROM inbox") == [1]
        assert lives.between_lives("SELECT count(*) FROM inbox WHERE settled_at IS NULL") == [0]
        return commits[0]

    for point in crash_points(await story(None)):
        await story(point)
