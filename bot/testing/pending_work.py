"""Tasks that wait for a thread or for the database, found by looking at what they await."""

import asyncio
import gc
from collections.abc import Iterator
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

_WORK = {"to_thread", "SqliteDatabase.read", "PostgresDatabase.read", "UnitQueue._commit"}
"""The functions whose end comes from outside the event loop."""


def tasks_at_work() -> list[str]:
    """The names of the other tasks of this event loop that wait for such work."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    return [task.get_name() for task in others if not _WORK.isdisjoint(_awaited(task.get_coro()))]


def _awaited(outermost: Any) -> Iterator[str]:
    """The names of the functions in a chain of awaits, the outermost first."""
    awaitable: Any = outermost
    while awaitable is not None:
        if isinstance(awaitable, CoroutineType):
            yield awaitable.__qualname__
        awaitable = _inside(awaitable)


def _inside(awaitable: Any) -> Any:
    """What it awaits; None for a future, and for what runs."""
    for attribute in ("cr_await", "ag_await", "gi_yieldfrom"):
        if hasattr(awaitable, attribute):
            return getattr(awaitable, attribute)
    # Python's wrappers around coroutines and async generators tell only the garbage collector.
    held: list[Any] = [one for one in gc.get_referents(awaitable) if isinstance(one, _AWAITABLE)]
    return held[0] if held else None


_AWAITABLE = (CoroutineType, AsyncGeneratorType, GeneratorType)
