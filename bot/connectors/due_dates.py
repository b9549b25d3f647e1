"""Due dates as the model gives them, as tables store them, and as the person reads them."""

import asyncio
from datetime import UTC, date, datetime
from typing import assert_never
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.clock import format_utc, parse_utc
from bot.dates.phrases import read_when
from bot.dates.reading import Day, Moment, Unclear
from bot.domain.languages import Language
from bot.domain.tool_context import ToolContext
from bot.errors import ToolError


async def parse_due(text: str, field: str, context: ToolContext) -> str | None:
    """Read a day or time in ISO 8601 or in words (`tomorrow at 9`), in the person's zone.

    Gives the form that tables store: the day itself, or the moment in UTC. None for an empty text.
    Raises ToolError, with what the phrase could mean, when it is unclear or over.
    """
    if not (text := text.strip()):
        return None
    reading = await asyncio.to_thread(read_when, text, context.now, zone(context.timezone))
    match reading:
        case Day():
            return reading.written
        case Moment(at):
            return format_utc(at)
        case Unclear():
            raise ToolError(_asked_back(text, field, reading, context))
        case _:
            assert_never(reading)


def _asked_back(text: str, field: str, unclear: Unclear, context: ToolContext) -> str:
    said = f"{field}: {unclear.told(text)}"
    if unclear.choices:
        return said
    today = local(context.now, context.timezone)
    return (
        f"{said}. Give a day like 2026-11-28 or a time like 2026-11-28T15:00; today is {today:%A}"
        f" {today:%Y-%m-%d}, {today:%H:%M}."
    )


def due_in_words(stored: str, timezone: str, language: Language = Language.EN) -> str:
    """A stored due date with its weekday and zone, to be said back to the person."""
    if (day := stored_day(stored)) is not None:
        return Day(day).spoken(language)
    return Moment(parse_utc(stored), zone(timezone).key).spoken(language)


def show_due(stored: str, timezone: str) -> str:
    """A due date for reading: a day as stored, a moment in the person's zone with offset."""
    if stored_day(stored) is not None:
        return stored
    return local(parse_utc(stored), timezone).isoformat(timespec="minutes")


def local(moment: datetime, timezone: str) -> datetime:
    try:
        return moment.astimezone(zone(timezone))
    except OverflowError:
        return moment


def zone(name: str) -> ZoneInfo:
    """The zone of that name; UTC when this machine lacks it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def stored_day(text: str) -> date | None:
    """The day of a stored due date without a time; None for a moment."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None
