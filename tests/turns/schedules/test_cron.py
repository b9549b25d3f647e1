"""Cron is read on people's clocks: daylight saving skips nothing and repeats nothing."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import TurnError
from bot.turns.schedules.cron import next_due


def coming(cron: str, zone: str, after: datetime) -> datetime:
    """The next time of one that goes on for good."""
    found = next_due(cron, zone, after)
    assert found is not None
    return found


ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "America/St_Johns",
)


def local(zone: str, *parts: int) -> datetime:
    year, month, day, hour, minute = parts
    return datetime(year, month, day, hour, minute, tzinfo=ZoneInfo(zone))


def ticks(cron: str, zone: str, after: datetime, count: int) -> list[str]:
    found: list[str] = []
    for _ in range(count):
        after = coming(cron, zone, after)
        found.append(after.astimezone(ZoneInfo(zone)).strftime("%d %H:%M %z"))
    return found


def test_a_usual_morning():
    assert coming(
        "30 9 * * mon-fri", "Europe/Berlin", local("Europe/Berlin", 2026, 11, 20, 9, 30)
    ) == local("Europe/Berlin", 2026, 11, 23, 9, 30)


def test_a_time_that_does_not_exist_is_due_at_the_next_valid_minute():
    start = local("Europe/Berlin", 2026, 3, 28, 12, 0)
    assert ticks("30 2 * * *", "Europe/Berlin", start, 2) == ["29 03:00 +0200", "30 02:30 +0200"]
    start = local("Australia/Lord_Howe", 2026, 10, 3, 12, 0)
    assert ticks("10 2 * * *", "Australia/Lord_Howe", start, 2) == [
        "04 02:30 +1100",
        "05 02:10 +1100",
    ]


def test_several_times_that_do_not_exist_are_due_once():
    start = local("Europe/Berlin", 2026, 3, 29, 1, 30)
    assert ticks("*/15 * * * *", "Europe/Berlin", start, 3) == [
        "29 01:45 +0100",
        "29 03:00 +0200",
        "29 03:15 +0200",
    ]


def test_a_time_that_occurs_twice_is_due_once():
    start = local("Europe/Berlin", 2026, 10, 24, 12, 0)
    assert ticks("30 2 * * *", "Europe/Berlin", start, 2) == ["25 02:30 +0200", "26 02:30 +0100"]
    start = local("America/New_York", 2026, 11, 1, 0, 50)
    assert ticks("*/30 * * * *", "America/New_York", start, 4) == [
        "01 01:00 -0400",
        "01 01:30 -0400",
        "01 02:00 -0500",
        "01 02:30 -0500",
    ]


def test_a_start_within_the_repeated_hour_does_not_fire_again():
    second_pass = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)  # 02:10 in Berlin, for the second time
    assert ticks("30 2 * * *", "Europe/Berlin", second_pass, 1) == ["26 02:30 +0100"]


@pytest.mark.parametrize(
    "cron", ["", "* * * *", "61 * * * *", "* * * * * *", "@daily", "H * * * *", "r * * * *", "x y"]
)
def test_an_invalid_cron_expression_is_refused_with_an_example(cron: str):
    with pytest.raises(TurnError, match=r"cron: .* five fields"):
        coming(cron, "UTC", datetime(2026, 1, 1, tzinfo=UTC))


def test_a_date_that_never_comes_and_a_zone_that_is_none_are_refused():
    with pytest.raises(TurnError, match="never due"):
        coming("0 0 30 2 *", "UTC", datetime(2026, 1, 1, tzinfo=UTC))
    for zone in ("Middle/Earth", "", "../etc/passwd"):
        with pytest.raises(TurnError, match="zone"):
            coming("0 0 * * *", zone, datetime(2026, 1, 1, tzinfo=UTC))


@given(
    zone=st.sampled_from(ZONES),
    start=st.datetimes(datetime(2025, 1, 1), datetime(2027, 12, 31)),  # noqa: DTZ001 - hypothesis wants them naive
    minute=st.integers(0, 59),
    hour=st.integers(0, 23),
)
def test_a_daily_time_is_due_exactly_once_on_every_day(
    zone: str, start: datetime, minute: int, hour: int
):
    after = start.replace(tzinfo=UTC)
    place = ZoneInfo(zone)
    previous = coming(f"{minute} {hour} * * *", zone, after)
    assert timedelta() < previous - after <= timedelta(hours=25, minutes=30)
    for _ in range(3):
        following = coming(f"{minute} {hour} * * *", zone, previous)
        shown, before = following.astimezone(place), previous.astimezone(place)
        assert shown.date() - before.date() == timedelta(days=1)
        wanted = shown.replace(hour=hour, minute=minute, fold=0)
        assert shown == wanted or shown.replace(tzinfo=None) > wanted.replace(tzinfo=None)
        previous = following
