"""Several processes on one database: their roles, messages and locks."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class ProcessRole(StrEnum):
    """Which work of its home a process does."""

    BOTH = "both"
    GATEWAY = "gateway"
    """Holds the connections to the platforms, accepts messages, and makes every platform call."""
    TURNS = "turns"
    """Runs turns, and reaches the platforms through the gateways."""


class Notices(Protocol):
    """Texts that the processes of one database send to each other.

    It is a network, not a queue: a text that nobody hears is lost silently. Texts of one process
    arrive in the order of posting.
    """

    def listen(self, channel: str, heard: Callable[[str], None]) -> None:
        """Call `heard` with each text of a channel, including this process's own.

        Call this before `run`. `heard` must not block or raise.
        """
        ...

    def post(self, channel: str, text: str) -> None:
        """Send a text to all listeners; never blocks or raises."""
        ...

    async def run(self) -> None:
        """Carry texts until cancelled, and reconnect when the connection is lost."""
        ...


class Locks(Protocol):
    """Named locks among the processes of a database.

    The locks of a dead process are freed as soon as the server notices.
    """

    async def take(self, name: str) -> bool:
        """Try to take a lock; returns whether this process holds it now. Raises StorageError."""
        ...

    async def release(self, name: str) -> None:
        """Release a lock; a no-op if this process doesn't hold it."""
        ...

    async def held(self, name: str) -> bool:
        """Whether any process holds the lock. Raises StorageError."""
        ...

    async def lost(self, name: str) -> None:
        """Return when this process lost a lock that it did not release."""
        ...


@dataclass(frozen=True)
class Processes:
    """The processes that share a database, as this one sees them."""

    name: str
    """Unique, and never used by another process."""
    role: ProcessRole
    notices: Notices
    locks: Locks


class OneProcess:
    """Implements `Notices` and `Locks` for a database of one process."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Callable[[str], None]]] = {}
        self._holds: set[str] = set()

    def listen(self, channel: str, heard: Callable[[str], None]) -> None:
        self._listeners.setdefault(channel, []).append(heard)

    def post(self, channel: str, text: str) -> None:
        for heard in self._listeners.get(channel, ()):
            asyncio.get_running_loop().call_soon(heard, text)

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def take(self, name: str) -> bool:
        self._holds.add(name)
        return True

    async def release(self, name: str) -> None:
        self._holds.discard(name)

    async def held(self, name: str) -> bool:
        return name in self._holds

    async def lost(self, name: str) -> None:
        await asyncio.Event().wait()
