"""The time: asked of a clock, so that tests can move it, and written in one form."""

from bot.clock import SystemClock, format_utc, parse_utc
from bot.domain.clock import Clock
