"""Pages of a list that begin behind a key: what comes or goes meanwhile moves no other row."""

import heapq
from collections.abc import Callable, Iterable
from typing import TypeVar

from bot.plugin.views import Rows

T = TypeVar("T")
LONG = 100
"""Rows of a page."""


def newest_first(
    rows: Iterable[T], key: Callable[[T], str], behind: str, size: int = LONG
) -> Rows[T]:
    """The rows with the greatest keys below `behind`; empty: the greatest of all."""
    page = heapq.nlargest(size + 1, (one for one in rows if not behind or key(one) < behind), key)
    return _page(page, key, size)


def in_order(rows: Iterable[T], key: Callable[[T], str], behind: str, size: int = LONG) -> Rows[T]:
    """The rows with the smallest keys above `behind`."""
    page = heapq.nsmallest(size + 1, (one for one in rows if key(one) > behind), key)
    return _page(page, key, size)


def _page(found: list[T], key: Callable[[T], str], size: int) -> Rows[T]:
    page = found[:size]
    return Rows(page, key(page[-1]) if len(found) > size else "")
