"""A gateway with a FakeChat, and another process's connection to it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from bot.chat.remote.adapter import Remote, RemoteChat
from bot.chat.remote.caller import Caller, Patience
from bot.chat.remote.held import CallDesk
from bot.domain.chat import ChatAdapter
from bot.domain.processes import Notices
from bot.plugins.postgresql.connecting import Server
from bot.plugins.postgresql.notices import PostgresNotices
from bot.storage.blobs import Blobs
from bot.testing.fake_chat import FakeChat

PATIENT = Patience(again=0.2, unserved=60, gone=60)
IMPATIENT = Patience(again=0.05, unserved=0.2, gone=0.2)
"""Patience for tests in which nobody answers."""


class FakeLocks:
    """Implements `domain.processes.Locks` for one of several processes in a test."""

    def __init__(self, holders: dict[str, "FakeLocks"]) -> None:
        self._holders = holders
        self._lost: dict[str, asyncio.Event] = {}

    async def take(self, name: str) -> bool:
        self._lost.setdefault(name, asyncio.Event())
        return self._holders.setdefault(name, self) is self

    async def release(self, name: str) -> None:
        if self._holders.get(name) is self:
            del self._holders[name]
        self._lost.pop(name, None)

    async def held(self, name: str) -> bool:
        return name in self._holders

    async def lost(self, name: str) -> None:
        await self._lost[name].wait()

    def lose(self, name: str) -> None:
        """Release the locks, as the server does when it believes that this process has died."""
        del self._holders[name]
        self._lost[name].set()


@dataclass
class RemoteTown:
    """Both ends: `there` is the gateway's, `chat` is what the other process works with."""

    there: FakeChat
    chat: RemoteChat
    caller: Caller
    desk: CallDesk
    gateways: list[CallDesk] = field(default_factory=list[CallDesk])

    def serve(self, adapter: ChatAdapter | None = None) -> None:
        self.desk.serve("discord", adapter or self.there)


@asynccontextmanager
async def remote_town(
    folder: Path, gateway: Notices, worker: Notices, patience: Patience = PATIENT
) -> AsyncGenerator[RemoteTown]:
    """Connect both ends, each over its own notices, in one event loop."""
    blobs = Blobs(folder / "data" / "blobs")

    async def keep(pieces: AsyncGenerator[bytes]) -> str:
        return (await blobs.put_pieces(pieces))[0]

    desk = CallDesk(gateway, uuid4().hex, keep)
    caller = Caller(worker, uuid4().hex, patience)
    remote = Remote("discord", caller, lambda _workspace: "discord", blobs.pieces)
    town = RemoteTown(FakeChat("discord"), RemoteChat(remote), caller, desk)
    town.serve()
    tasks = [asyncio.create_task(one.run()) for one in (gateway, worker, desk)]
    try:
        yield town
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


@asynccontextmanager
async def over_postgres(folder: Path, url: str) -> AsyncGenerator[RemoteTown]:
    """Connect both ends over a real server; enter when both listen."""
    ends = [PostgresNotices(Server.at(url)) for _ in range(2)]
    async with remote_town(folder, ends[0], ends[1]) as town:
        for end in ends:
            await end.listening.wait()
        yield town
