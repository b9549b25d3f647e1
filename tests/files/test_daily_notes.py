"""/daily-notes: the right file for the day of the person's zone and for the place."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.places import Reach
from bot.domain.tool_context import ToolContext
from bot.errors import ToolError
from bot.files.daily_notes import ROOT, TODAY, DailyNotes, today
from bot.files.database_files import DatabaseFiles
from bot.storage.database import SqliteDatabase
from bot.testing.contexts import a_place, make_context, make_person
from bot.testing.fake_clock import FakeClock

LATE = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)


@pytest.fixture
def notes(database: SqliteDatabase) -> DailyNotes:
    return DailyNotes(DatabaseFiles(database, FakeClock(), ROOT, "person"))


def at(
    reach: Reach = Reach.DM, room: str = "room-1", zone: str = "Europe/Berlin", who: str = "ann"
) -> ToolContext:
    return replace(make_context(make_person(who), at=a_place(reach, room), now=LATE), timezone=zone)


async def write(
    database: SqliteDatabase, notes: DailyNotes, context: ToolContext, path: str, text: str
) -> None:
    before = await notes.read(context, path)
    await database.write(await notes.write(context, path, text, before.version if before else None))


async def test_today_is_a_day_of_the_persons_zone(database: SqliteDatabase, notes: DailyNotes):
    await write(database, notes, at(), TODAY, "late in Berlin")
    berlin = await notes.read(at(), TODAY)
    assert berlin is not None
    assert berlin.path == f"{ROOT}/2026-11-22.md"
    assert await notes.read(at(zone="America/New_York"), TODAY) is None
    yesterday = await notes.read(
        replace(at(), now=datetime(2026, 11, 23, 9, tzinfo=UTC)), f"{ROOT}/yesterday.md"
    )
    assert yesterday is not None
    assert yesterday.text == "late in Berlin"
    assert await notes.read(at(who="ben"), TODAY) is None


async def test_each_circle_of_readers_has_its_own_note(database: SqliteDatabase, notes: DailyNotes):
    private = at(Reach.PRIVATE, "board")
    for context, text in ((at(), "alone"), (at(Reach.PUBLIC), "public"), (private, "board")):
        await write(database, notes, context, TODAY, text)
    for context, text in (
        (at(), "alone"),
        (at(Reach.PUBLIC, "room-2"), "public"),
        (private, "board"),
    ):
        found = await notes.read(context, TODAY)
        assert found is not None
        assert found.text == text
    assert await notes.read(at(Reach.PRIVATE, "other"), TODAY) is None
    alone, public, board = [entry.path for entry in await notes.list(at(), ROOT) or ()]
    for path in (board, public):
        assert await notes.read(at(), path) is not None
        with pytest.raises(ToolError, match="belongs to another place"):
            await notes.write(at(), path, "x", None)
    for path in (alone, board):
        with pytest.raises(ToolError, match="private"):
            await notes.read(at(Reach.PUBLIC), path)


@pytest.mark.parametrize(
    "name", ["monday.md", "2026-13-01.md", "2026-11-22", "2026-11-22.md/x.md", "Today.md", ""]
)
async def test_nothing_but_days_is_written(notes: DailyNotes, name: str):
    with pytest.raises(ToolError, match="no daily note"):
        await notes.write(at(), f"{ROOT}/{name}", "x", None)


@given(st.datetimes(timezones=st.just(UTC)), st.text(max_size=20))
def test_every_zone_has_a_day(now: datetime, zone: str):
    if datetime(2, 1, 1, tzinfo=UTC) < now < datetime(9998, 1, 1, tzinfo=UTC):
        assert abs((today(now, zone) - now.date()).days) <= 1
