"""What time it is, and sums: a model need not guess either. current_time and calculate."""

import asyncio
import difflib
import json
from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import Field

from bot.plugin.dates import folded_zone, zone, zones_by_name
from bot.plugin.plugin import Clock, Given, NoSettings, Parts, Plugin
from bot.plugin.tools import (
    NativeConnector,
    NativeTool,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolResult,
)
from bot.plugins.clock.arithmetic import ArithmeticProblem, work_out

_WORKING_OUT = Phrase("Working it out")

SUGGESTIONS = 4


class CurrentTimeArguments(ToolArguments):
    """A zone, or nothing for the person's own."""

    timezone: str | None = Field(
        default=None, description="IANA name such as Asia/Tokyo; default: the person's own."
    )


class CalculateArguments(ToolArguments):
    """One expression."""

    expression: str


class ClockConnector(NativeConnector):
    """current_time and calculate, for everybody and in every run."""

    id = "clock"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        super().__init__(
            NativeTool(
                "current_time",
                CurrentTimeArguments,
                self._time,
                pure=True,
                doing=_WORKING_OUT,
                same_for_all=True,
            ),
            NativeTool(
                "calculate",
                CalculateArguments,
                _calculate,
                pure=True,
                doing=_WORKING_OUT,
                same_for_all=True,
            ),
        )

    async def _time(self, context: ToolContext, arguments: CurrentTimeArguments) -> ToolResult:
        """The time of the call: its turn may have begun minutes ago."""
        place = (
            await asyncio.to_thread(_find_zone, arguments.timezone)
            if arguments.timezone
            else zone(context.timezone)
        )
        answer = _told(self._clock.now(), place)
        return ToolResult(
            json.dumps(answer, ensure_ascii=False), summary=f"{answer['weekday']} {answer['local']}"
        )


async def _calculate(context: ToolContext, arguments: CalculateArguments) -> ToolResult:
    try:
        outcome = work_out(arguments.expression)
    except ArithmeticProblem as problem:
        raise ToolError(str(problem)) from None
    answer: dict[str, str | bool] = {"expression": outcome.expression, "result": outcome.result}
    if outcome.rounded:
        answer["rounded"] = True
    return ToolResult(json.dumps(answer, ensure_ascii=False), summary=f"= {outcome.result}")


def _told(now: datetime, place: ZoneInfo) -> dict[str, str]:
    there = now.astimezone(place)
    return {
        "local": there.isoformat(timespec="seconds"),
        "weekday": f"{there:%A}",
        "timezone": place.key,
        "abbreviation": there.tzname() or "",
        "utc": now.isoformat(timespec="seconds"),
    }


def _find_zone(wanted: str) -> ZoneInfo:
    """Blocking.

    The zone of that name, or of that city when only one zone is named after it. Raises ToolError.
    """
    folded = folded_zone(wanted)
    zones = zones_by_name()
    if folded in zones:
        return ZoneInfo(zones[folded])
    cities = [
        name for key, name in zones.items() if key.rpartition("/")[2] == folded and "/" in key
    ]
    if len(cities) == 1:
        return ZoneInfo(cities[0])
    raise ToolError(f"there is no time zone {wanted[:60]!r}; {_advice(folded, cities, zones)}")


def _advice(folded: str, cities: list[str], zones: dict[str, str]) -> str:
    near = cities or [name for key, name in zones.items() if len(folded) > 2 and folded in key]
    if not near:
        last = {key.rpartition("/")[2]: name for key, name in zones.items()}
        last.update(zones)
        near = [last[key] for key in difflib.get_close_matches(folded, last, SUGGESTIONS)]
    remedy = "use the IANA name of its zone, such as Europe/Paris or America/New_York"
    return (
        f"did you mean {', '.join(dict.fromkeys(near[:SUGGESTIONS]))}? Else {remedy}"
        if near
        else remedy
    )


class ClockPlugin(Plugin[NoSettings]):
    name = "clock"
    title = "what time it is, and sums"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(ClockConnector(given.clock),))
