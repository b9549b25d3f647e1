"""current_time, and calculate: right results, helpful refusals, no long runs, no code."""

import contextlib
import time
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.tool_context import NativeTool
from bot.errors import ToolError
from bot.plugins.clock.arithmetic import ArithmeticProblem, work_out
from bot.plugins.clock.plugin import ClockConnector
from bot.testing.desk import Desk
from tests.thoroughness import examples


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


# Sums: right results, readable text, helpful refusals, no long runs, no code execution.


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("1 + 1", "2"),
        ("0.1 + 0.2", "0.3"),
        ("19.90*3", "59.7"),
        ("(19.90 + 4) * 3", "71.7"),
        ("15% of 80", "12"),
        ("7.5 % of 200 + 1", "16"),
        ("100% - 20%", "0.8"),
        ("5%", "0.05"),
        ("10 % 3", "1"),
        ("-7 // 2", "-4"),
        ("-7 % 3", "2"),
        ("7 % -3", "-2"),
        ("2 ^ 100", "1267650600228229401496703205376"),
        ("3 × 4 ÷ 2 − 1", "5"),  # noqa: RUF001 - signs as people paste them
        ("1/3", "0.333333333333333"),
        ("sqrt(16) + sqrt(2)", "5.4142135623731"),
        ("log(8, 2)", "3"),
        ("log10(1000)", "3"),
        ("sin(pi / 6)", "0.5"),
        ("round(2.5)", "3"),
        ("round(-2.345, 2)", "-2.35"),
        ("round(1234, -2)", "1200"),
        ("max(1, 2, 3) - min(4, 5)", "-1"),
        ("mean(1, 2, 4.5)", "2.5"),
        ("factorial(20)", "2432902008176640000"),
        ("1e-10", "1e-10"),
        ("2 ** 1000", "1.07150860718627e301"),
        ("-2 ** 2", "-4"),
        ("0 ** 0", "1"),
        ("12 + 1 =", "13"),
        ("0 * -1", "0"),
    ],
)
def test_results(expression: str, result: str):
    assert work_out(expression).result == result


def test_rounded_is_said_only_where_digits_were_lost():
    assert work_out("1 / 3").rounded
    assert not work_out("1 / 4").rounded
    assert not work_out("log2(1024)").rounded
    assert work_out("log2(3)").rounded
    assert not work_out("round(100 / 8, 1)").rounded


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("", "empty"),
        ("1 / 0", "divides by zero"),
        ("7 % 0", "divides by zero"),
        ("0 ** -1", "divides by zero"),
        ("sqrt(-1)", "no result among the real numbers"),
        ("asin(2)", "no result among the real numbers"),
        ("1,000 * 2", "without separators"),
        ("(1", "not a sum"),
        ("1or 2", "not a sum"),
        ("x + 1", "unknown"),
        ("median(1)", "no function"),
        ("sqrt(1, 2)", "takes 1 numbers, not 2"),
        ("a.b", "not arithmetic"),
        ("1 if 1 else 2", "not arithmetic"),
        ("True + 1", "not a number"),
        ("__import__('os')", "can't be part of a sum"),
        ("9**9**9**9", "larger than"),
        ("10 ** 9999999", "larger than"),
        ("exp(1e9)", "larger than"),
        ("factorial(99999)", "0 to 3000"),
        ("-" * 400 + "1", "nested too deeply"),
        ("1+" * 300 + "1", "limit is 500"),
        ("5 €", "can't be part"),
    ],
)
def test_refusals_say_why(expression: str, problem: str):
    with pytest.raises(ArithmeticProblem, match=problem):
        work_out(expression)


@settings(max_examples=examples(300), deadline=None)
@given(
    st.one_of(
        st.text(max_size=80),
        st.text(alphabet="0123456789.e+-*/%^()sqrtlogexpmax, _fcij", max_size=80),
    )
)
def test_any_text_ends_soon_in_a_result_or_a_refusal(text: str):
    start = time.thread_time()
    with contextlib.suppress(ArithmeticProblem):
        assert work_out(text).result
    assert time.thread_time() - start < 2


WHOLE = st.integers(-(10**9), 10**9)


@given(WHOLE, WHOLE, WHOLE)
def test_sums_of_whole_numbers_are_exact(a: int, b: int, c: int):
    outcome = work_out(f"{a} * {b} - ({c} + {a}) * 3")
    assert int(outcome.result) == a * b - (c + a) * 3
    assert not outcome.rounded


@given(WHOLE, WHOLE.filter(bool))
def test_division_agrees_with_python(a: int, b: int):
    assert int(work_out(f"({a}) // ({b})").result) == a // b
    assert int(work_out(f"({a}) % ({b})").result) == a % b
    assert float(work_out(f"({a}) / ({b})").result) == pytest.approx(
        float(Fraction(a, b)), rel=1e-13
    )
