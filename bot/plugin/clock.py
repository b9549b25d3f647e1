"""The time: asked of a clock, so that tests can move it."""

from bot.clock import SystemClock
from bot.domain.clock import Clock

__all__ = ["Clock", "SystemClock"]
