"""The time: asked of a clock, so that tests can move it, and written in one form."""

from bot.clock import SystemClock as SystemClock
from bot.clock import format_utc as format_utc
from bot.clock import parse_utc as parse_utc
from bot.domain.clock import Clock as Clock
