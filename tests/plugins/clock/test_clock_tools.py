"""current_time and calculate."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.domain.tool_context import NativeTool
from bot.errors import ToolError
from bot.plugins.clock.plugin import ClockConnector
from bot.testing.desk import Desk


@pytest.fixture
def time_tool(desk: Desk) -> NativeTool[Any]:
    return desk.tool(ClockConnector(desk.clock), "current_time")


async def test_the_persons_own_zone_is_the_default(desk: Desk, time_tool: NativeTool[Any]):
    assert await desk.call(time_tool, {}) == {
        "local": "2026-11-21T10:00:00+01:00",
        "weekday": "Saturday",
        "timezone": "Europe/Berlin",
        "abbreviation": "CET",
        "utc": "2026-11-21T09:00:00+00:00",
    }


async def test_it_tells_the_time_of_the_call_not_of_the_turn(
    desk: Desk, time_tool: NativeTool[Any]
):
    await desk.clock.advance(90)
    assert (await desk.call(time_tool, {"timezone": "UTC"}))["local"] == "2026-11-21T09:01:30+00:00"


@pytest.mark.parametrize(
    ("wanted", "zone"),
    [
        ("asia/tokyo", "Asia/Tokyo"),
        ("Tokyo", "Asia/Tokyo"),
        ("new york", "America/New_York"),
        ("utc", "UTC"),
        ("Kathmandu", "Asia/Kathmandu"),
    ],
)
async def test_zones_are_found_by_name_and_by_city(
    wanted: str, zone: str, desk: Desk, time_tool: NativeTool[Any]
):
    assert (await desk.call(time_tool, {"timezone": wanted}))["timezone"] == zone


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("Europe/Berln", "Europe/Berlin"),
        ("toyko", "Asia/Tokyo"),
        ("Munich", "IANA"),
        ("../etc/passwd", "IANA|mean"),
    ],
)
async def test_an_unknown_zone_names_near_ones(
    wanted: str, near: str, desk: Desk, time_tool: NativeTool[Any]
):
    with pytest.raises(ToolError, match=near):
        await desk.result(time_tool, {"timezone": wanted})


async def test_a_person_with_a_zone_that_this_machine_lacks_gets_utc(
    desk: Desk, time_tool: NativeTool[Any]
):
    desk.timezone = "Mars/Olympus"
    assert (await desk.call(time_tool, {}))["timezone"] == "UTC"


async def test_daylight_saving_is_followed(desk: Desk, time_tool: NativeTool[Any]):
    summer = datetime(2027, 7, 1, 12, tzinfo=UTC)
    await desk.clock.advance((summer - desk.clock.now()).total_seconds())
    assert (await desk.call(time_tool, {}))["local"] == "2027-07-01T14:00:00+02:00"


async def test_calculate_shows_how_it_understood_the_sum(desk: Desk):
    tool = desk.tool(ClockConnector(desk.clock), "calculate")
    assert await desk.call(tool, {"expression": "15% of 80"}) == {
        "expression": "(15/100) * 80",
        "result": "12",
    }
    assert (await desk.call(tool, {"expression": "2 / 3"}))["rounded"] is True
    with pytest.raises(ToolError, match="divides by zero"):
        await desk.result(tool, {"expression": "1/0"})
