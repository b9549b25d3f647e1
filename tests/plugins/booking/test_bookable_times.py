"""Bookable times: within a person's hours, where nothing stands, and never taken twice."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.database import Database, OpenDatabase
from bot.errors import UnitRejected
from bot.plugins.booking import store
from bot.plugins.booking.slots import BookableHours, BusyTime, SlotRules, free_slots, read_hours
from bot.plugins.booking.store import Booking, BookingRows, BookingState

BERLIN = ZoneInfo("Europe/Berlin")
START = datetime(2026, 3, 23, tzinfo=UTC)
"""The week in which clocks in Berlin skip an hour."""
END = START + timedelta(days=14)


def rules(hours: str = "mon-fri 9-17", length: int = 30, buffer: int = 0) -> SlotRules:
    return SlotRules(read_hours(hours), "Europe/Berlin", length, buffer)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mon-fri 9-17", "mon,tue,wed,thu,fri 09:00-17:00"),
        ("Mon,Wed 9:30-12:00", "mon,wed 09:30-12:00"),
        ("sat-mon 10-11", "mon,sat,sun 10:00-11:00"),
        ("monday 0-24", "mon 00:00-24:00"),
    ],
)
def test_hours_are_read_as_people_write_them(text: str, told: str):
    assert read_hours(text).text == told
    assert read_hours(told) == read_hours(text)


@pytest.mark.parametrize(
    "text",
    ["", "mon", "9-17", "mon 17-9", "mon 9-25", "mon 9:60-10", "xyz 9-17", "mon ٩-17", "mon 9-9"],
)
def test_hours_that_say_nothing_are_refused(text: str):
    with pytest.raises(ValueError, match=r"\S"):
        read_hours(text)


def busy_from(begin: int, minutes: int) -> BusyTime:
    start = START + timedelta(minutes=begin)
    return BusyTime(start, start + timedelta(minutes=minutes))


times = st.builds(busy_from, st.integers(-600, 14 * 24 * 60), st.integers(1, 3_000))


@given(st.lists(times, max_size=12), st.integers(10, 240), st.integers(0, 120))
def test_no_slot_touches_what_is_busy_or_leaves_the_hours(
    busy: list[BusyTime], length: int, buffer: int
):
    pause, lasts = timedelta(minutes=buffer), timedelta(minutes=length)
    found = free_slots(rules("mon-fri 9-17", length, buffer), busy, START, END)
    for moment in found:
        assert not any(
            moment < one.end + pause and one.start - pause < moment + lasts for one in busy
        )
        begin, end = moment.astimezone(BERLIN), (moment + lasts).astimezone(BERLIN)
        assert begin.weekday() < 5
        assert (begin.hour, begin.minute) >= (9, 0)
        assert (end.hour, end.minute) <= (17, 0)
    assert all(later - one >= lasts for one, later in pairwise(found))


def test_an_hour_that_clocks_skip_is_not_offered():
    found = free_slots(rules("sun 1-5", 60), [], START, END)
    there = [moment.astimezone(BERLIN) for moment in found]
    skipped = [one.hour for one in there if one.day == 29]
    assert skipped == [1, 3, 4]
    assert [one.hour for one in there if one.day == 5] == [1, 2, 3, 4]


def test_nobody_sets_hours_and_gets_none():
    assert BookableHours().text == "mon,tue,wed,thu,fri 09:00-17:00"


# No two bookings of a person overlap, whatever wrote them, on either database.


NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
HALF = timedelta(minutes=30)


def booking(id_: str, start: datetime, person: str = "ann") -> Booking:
    held = BookingState.HELD
    place = ("Europe/Berlin", "google", "Eve", "eve@example.net", "A talk")
    return Booking(id_, person, start, start + HALF, *place, held, "{}", NOON)


async def kept(database: Database, one: Booking) -> bool:
    try:
        await database.write(store.hold(one))
    except UnitRejected:
        return False
    return True


async def test_times_that_overlap_are_taken_once(database: OpenDatabase):
    assert await kept(database, booking("a", NOON))
    for minutes in (-29, -15, 0, 15, 29):
        assert not await kept(database, booking(f"b{minutes}", NOON + timedelta(minutes=minutes)))
    assert await kept(database, booking("before", NOON - HALF))
    assert await kept(database, booking("after", NOON + HALF))
    assert await kept(database, booking("other", NOON, "ben"))


async def test_a_booking_is_settled_once_and_a_failed_one_frees_its_time(database: OpenDatabase):
    one = booking("a", NOON)
    await database.write(store.hold(one))
    await database.write(store.settle(one, BookingState.FAILED))
    with pytest.raises(UnitRejected):
        await database.write(store.settle(one, BookingState.MADE))
    assert await kept(database, booking("b", NOON))
    rows = BookingRows(database)
    assert [found.id for found in await rows.held()] == ["b"]
    assert await rows.booking("a") == replace(one, state=BookingState.FAILED)
    assert await rows.made_since("ann", NOON - HALF) == 2
