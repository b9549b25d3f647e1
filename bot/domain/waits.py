"""Durations of waits in words. Servers may ask for any duration."""

import math

FAR_S = 30 * 86_400.0
"""Nobody waits longer than this for an answer."""
_UNITS = (
    (172_800.0, 86_400.0, "day"),
    (7_200.0, 3_600.0, "hour"),
    (600.0, 60.0, "minute"),
    (0.0, 1.0, "second"),
)
"""The least seconds of each unit, its length in seconds, and its name."""


def is_far(seconds: float) -> bool:
    """Whether it is too long to wait."""
    return not math.isfinite(seconds) or seconds > FAR_S


def wait_words(seconds: float) -> str:
    """For example "1 second", "90 seconds", "12 minutes", "3 days"; far times have no number."""
    if is_far(seconds):
        return "more than a month"
    count, name = wait_unit(seconds)
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def wait_unit(seconds: float) -> tuple[int, str]:
    """How many of which unit (`day`, `hour`, `minute` or `second`); not for far times."""
    unit, name = next((size, name) for least, size, name in _UNITS if seconds >= least)
    return round(seconds / unit), name
