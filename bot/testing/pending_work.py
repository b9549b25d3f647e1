"""Finds tasks that wait for a thread or for the database, by what they await."""

import asyncio
import gc
from collections.abc import Iterator
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

_WORK = {"to_thread", "ReadQueue.read_all", "UnitQueue._commit", "PostgresDatabase.read_all"}
"""Functions whose end comes from outside the event loop."""
_STATEMENT, _LISTENING = "AsyncConnection.wait", "AsyncConnection.notifies"
"""What psycopg awaits for every statement, and for notifications, which may never come."""


def tasks_at_work() -> list[str]:
    """Return the names of the other tasks of this event loop that wait for such work."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    return [task.get_name() for task in others if _is_at_work(set(_awaited(task.get_coro())))]


def _is_at_work(awaited: set[str]) -> bool:
    if _LISTENING in awaited:
        return False
    return _STATEMENT in awaited or not _WORK.isdisjoint(awaited)


def sleeps(function: str) -> bool:
    """Whether a task that runs this function (its qualified name) waits for time to pass."""
    chains = [set(_awaited(task.get_coro())) for task in asyncio.all_tasks()]
    return any({function, "FakeClock.sleep_until"} <= chain for chain in chains)


def _awaited(outermost: Any) -> Iterator[str]:
    """Return the names of the functions in a chain of awaits, outermost first."""
    awaitable: Any = outermost
    while awaitable is not None:
        if isinstance(awaitable, CoroutineType | AsyncGeneratorType):
            yield awaitable.__qualname__
        awaitable = _inside(awaitable)


def _inside(awaitable: Any) -> Any:
    """Return what an awaitable awaits; None for a future, and for running code."""
    for attribute in ("cr_await", "ag_await", "gi_yieldfrom"):
        if hasattr(awaitable, attribute):
            return getattr(awaitable, attribute)
    # Python's wrappers around coroutines and async generators name their content only to gc.
    held: list[Any] = [one for one in gc.get_referents(awaitable) if isinstance(one, _AWAITABLE)]
    return held[0] if held else None


_AWAITABLE = (CoroutineType, AsyncGeneratorType, GeneratorType)
