"""No two bookings of a person overlap, whatever wrote them, on either database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.database import Database, OpenDatabase
from bot.errors import UnitRejected
from bot.plugins.booking import store
from bot.plugins.booking.store import Booking, BookingRows, BookingState

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
