"""Several processes over one database: what each does, and how they reach each other."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class ProcessRole(StrEnum):
    """What a process does of the work on its home."""

    BOTH = "both"
    GATEWAY = "gateway"
    """Holds the connections to the platforms, accepts messages and makes every call there."""
    TURNS = "turns"
    """Runs turns, and reaches the platforms through the gateways."""


class Notices(Protocol):
    """Messages between the processes of one database.

    They are a network, not a queue: a text that nobody hears is lost, and nobody is told. Texts of
    one process arrive in the order in which it posted them.
    """

    def listen(self, channel: str, heard: Callable[[str], None]) -> None:
        """Call `heard` with each text of a channel, also with this process's own.

        Say it before `run` begins. `heard` must not block or raise.
        """
        ...

    def post(self, channel: str, text: str) -> None:
        """Send a text to everybody who listens; never blocks or raises."""
        ...

    async def run(self) -> None:
        """Carry texts until cancelled; the connection is made again when it was lost."""
        ...


class Locks(Protocol):
    """Names of which each has one holder among the processes of a database.

    A process that dies holds nothing any more, as soon as the server has noticed.
    """

    async def take(self, name: str) -> bool:
        """Whether this process holds the name now. Raises StorageError."""
        ...

    async def release(self, name: str) -> None:
        """Let go of a name; nothing happens when this process doesn't hold it."""
        ...

    async def held(self, name: str) -> bool:
        """Whether any process holds the name. Raises StorageError."""
        ...

    async def lost(self, name: str) -> None:
        """Return when this process doesn't hold the name any more, though it didn't let go."""
        ...


@dataclass(frozen=True)
class Processes:
    """The processes that share a database, as this one sees them."""

    name: str
    """Of this process alone, also in future."""
    role: ProcessRole
    notices: Notices
    locks: Locks


class OneProcess:
    """Implements `Notices` and `Locks` where nobody else shares the database."""

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
