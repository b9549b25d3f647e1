"""One person and one running adapter per platform, for the contract tests of adapters."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol, TypeAlias

from bot.chat.terminal.adapter import TerminalChat, terminal_conversation
from bot.clock import SystemClock
from bot.domain.chat import Acceptance, ChatAdapter
from bot.domain.messages import Attachment, IncomingMessage, PlatformPerson
from bot.testing.both_platforms import PLATFORMS, PlatformTown
from bot.testing.fake_chat import FakeChat
from bot.testing.remote_town import RemoteTown, over_postgres
from bot.testing.scripted_view import ScriptedView

_LONGEST_S = 60.0
FILE_BYTES = b"one line\n"


class Stage(Protocol):
    """The person in the contract tests: writes direct messages, reads and clicks."""

    @property
    def adapter(self) -> ChatAdapter: ...

    async def say(self, text: str) -> None:
        """Send Bellhop a direct message."""
        ...

    async def upload(self, name: str) -> None:
        """Send Bellhop a file with FILE_BYTES in a direct message."""
        ...

    def sees(self) -> str:
        """Return everything from Bellhop that the person can see now."""
        ...

    async def pick(self, label: str) -> bool:
        """Choose the option with this label; False if it isn't offered, or no longer."""
        ...


class Performance:
    """A running adapter, and the messages that were accepted from it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.heard: list[IncomingMessage] = []
        self._arrived = asyncio.Condition()

    async def accept(self, message: IncomingMessage) -> Acceptance:
        async with self._arrived:
            self.heard.append(message)
            self._arrived.notify_all()
        return Acceptance.TURN

    async def said(self, text: str) -> IncomingMessage:
        """Let the person say something; return the message that the adapter hands over."""
        before = len(self.heard)
        await self.stage.say(text)
        return await self._next(before)

    async def sent_file(self, name: str) -> IncomingMessage:
        """Let the person send a file; return the message that the adapter hands over."""
        before = len(self.heard)
        await self.stage.upload(name)
        return await self._next(before)

    async def picked(self, label: str) -> IncomingMessage | None:
        """Let the person choose an option; None if they can't."""
        before = len(self.heard)
        return await self._next(before) if await self.stage.pick(label) else None

    async def _next(self, before: int) -> IncomingMessage:
        async with asyncio.timeout(_LONGEST_S), self._arrived:
            await self._arrived.wait_for(lambda: len(self.heard) > before)
        return self.heard[before]


class FakeStage:
    """FakeChat, the adapter that most tests use."""

    def __init__(self) -> None:
        self.chat = FakeChat()
        self.adapter: ChatAdapter = self.chat

    async def say(self, text: str) -> None:
        await self.chat.say("ann", text)

    async def upload(self, name: str) -> None:
        self.chat.files[name] = FILE_BYTES
        sent = (Attachment(name, name, "text/plain", len(FILE_BYTES)),)
        await self.chat.say("ann", "look", attachments=sent)

    def sees(self) -> str:
        lines = [line for lines in self.chat.closed.values() for line in dict.fromkeys(lines)]
        return "\n".join((*self.chat.texts, *lines))

    async def pick(self, label: str) -> bool:
        for post in self.chat.posts:
            for choice in post.message.choices if post.key not in self.chat.closed else ():
                if choice.label == label:
                    await self.chat.click("ann", choice.ref, choice.verb, choice.value)
                    return True
        return False


class TerminalStage:
    """The terminal adapter, on a view that a test types into."""

    def __init__(self, folder: Path) -> None:
        self.view = ScriptedView()
        self.chat = TerminalChat(
            self.view,
            SystemClock(),
            person=PlatformPerson("ann", "Ann"),
            conversation=terminal_conversation("ann"),
            folder=folder,
        )
        self.adapter = self.chat
        self._folder = folder

    async def say(self, text: str) -> None:
        self.view.type(text)

    async def upload(self, name: str) -> None:
        await asyncio.to_thread((self._folder / name).write_bytes, FILE_BYTES)
        self.view.type(f"look @{name}")

    def sees(self) -> str:
        return "\n".join((*self.view.said, *self.view.asides, *self.view.notices))

    async def pick(self, label: str) -> bool:
        """Type the option's number; once the option is gone, the number is an ordinary message."""
        options = [option for offered in self.view.offered for option in offered]
        self.view.type(str(next(one.number for one in options if one.label == label)))
        return True


class TownStage:
    """A loopback server and the platform's real client."""

    def __init__(self, town: PlatformTown) -> None:
        self.town = town
        self.adapter = town.connect()

    async def say(self, text: str) -> None:
        self.town.say("Ann", text, direct=True)

    async def upload(self, name: str) -> None:
        self.town.upload("Ann", name, FILE_BYTES, "look")

    def sees(self) -> str:
        return "\n".join(shown.text for shown in self.town.sees("Ann"))

    async def pick(self, label: str) -> bool:
        found = [shown for shown in self.town.sees("Ann") if label in shown.labels]
        for shown in found:
            shown.click(label)
        return bool(found)


class RemoteStage(FakeStage):
    """FakeChat behind a gateway, reached as from another process."""

    def __init__(self, town: RemoteTown) -> None:
        self.chat = town.there
        self.adapter = town.chat


OpenStage: TypeAlias = Callable[[Path], AbstractAsyncContextManager[Performance]]


@asynccontextmanager
async def _performing(stage: Stage) -> AsyncGenerator[Performance]:
    performance = Performance(stage)
    task = asyncio.create_task(stage.adapter.run(performance.accept))
    try:
        if isinstance(stage, TownStage):
            await stage.town.ready()
        else:
            await asyncio.sleep(0)
        yield performance
    finally:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            raise RuntimeError("run was cancelled and ended otherwise") from task.exception()


@asynccontextmanager
async def _fake(folder: Path) -> AsyncGenerator[Performance]:
    async with _performing(FakeStage()) as performance:
        yield performance


@asynccontextmanager
async def remote(folder: Path, url: str) -> AsyncGenerator[Performance]:
    """Open a remote stage; the database at `url` carries the calls."""
    async with over_postgres(folder, url) as town:
        performance = Performance(RemoteStage(town))
        town.there.attach(performance.accept)
        yield performance


@asynccontextmanager
async def _terminal(folder: Path) -> AsyncGenerator[Performance]:
    async with _performing(TerminalStage(folder)) as performance:
        yield performance


def _in_town(name: str) -> OpenStage:
    @asynccontextmanager
    async def opened(folder: Path) -> AsyncGenerator[Performance]:
        async with PLATFORMS[name]() as town, _performing(TownStage(town)) as performance:
            yield performance

    return opened


STAGES: dict[str, OpenStage] = {
    "fake": _fake,
    "terminal": _terminal,
    **{name: _in_town(name) for name in PLATFORMS},
}
