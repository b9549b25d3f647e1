"""A bounded cache of recent entries."""

from collections import OrderedDict
from typing import TypeVar

REMEMBERED = 1000
"""Evicted entries are read again from the database or from Slack."""

K = TypeVar("K")
V = TypeVar("V")


def remember(kept: OrderedDict[K, V], key: K, value: V) -> None:
    """Add the newest entry, and evict the oldest beyond the limit."""
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > REMEMBERED:
        kept.popitem(last=False)
