"""A limited memory of what was seen last."""

from collections import OrderedDict
from typing import TypeVar

REMEMBERED = 1000
"""What fell out is asked from the database or from Slack again."""

K = TypeVar("K")
V = TypeVar("V")


def remember(kept: OrderedDict[K, V], key: K, value: V) -> None:
    """Keep it as the newest, and forget the oldest beyond the limit."""
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > REMEMBERED:
        kept.popitem(last=False)
