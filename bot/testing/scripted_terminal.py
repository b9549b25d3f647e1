"""A terminal chat on a scripted view, with a stand-in for the Router."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.chat.terminal.adapter import TerminalChat, terminal_conversation
from bot.domain.chat import Acceptance, LiveReply
from bot.domain.messages import (
    Attachment,
    IncomingMessage,
    OutgoingMessage,
    PlatformPerson,
    Receipt,
    ReplyTarget,
)
from bot.errors import StorageError
from bot.testing import waiting
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.scripted_view import ScriptedView


class House:
    """Stands in for the Router and records the accepted messages."""

    def __init__(self, acceptance: Acceptance = Acceptance.TURN) -> None:
        self.acceptance = acceptance
        self.accepted: list[IncomingMessage] = []
        self.broken = False

    async def accept(self, message: IncomingMessage) -> Acceptance:
        if self.broken:
            raise StorageError("the disk is full")
        self.accepted.append(message)
        return self.acceptance


def chat_on(
    view: ScriptedView,
    folder: Path,
    *,
    name: str | None = None,
    serial: bool = False,
    piped: tuple[Attachment, ...] = (),
) -> TerminalChat:
    person = PlatformPerson(name or "me", name or "me", platform_roles=("Friend",))
    conversation = terminal_conversation(name)
    return TerminalChat(
        view,
        FakeClock(),
        person=person,
        conversation=conversation,
        folder=folder,
        blobs=folder / "data" / "blobs",
        downloads=folder / "downloads",
        serial=serial,
        piped=piped,
    )


@asynccontextmanager
async def running(chat: TerminalChat, house: House) -> AsyncGenerator[None]:
    task = asyncio.create_task(chat.run(house.accept))
    await settle()
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@dataclass
class Terminal:
    """What a person types and sees, and the house behind it."""

    view: ScriptedView
    house: House
    chat: TerminalChat

    async def typed(self, *texts: str) -> IncomingMessage:
        """Type these texts; return the accepted message of the last."""
        before = len(self.house.accepted)
        for text in texts:
            self.view.type(text)
        return (await accepted(self.house, before + len(texts)))[-1]

    async def hears(self, count: int) -> list[IncomingMessage]:
        return await accepted(self.house, count)

    async def notices(self) -> str:
        """Wait for a notice; return the last."""
        return await noticed(self.view)

    def target(self, message: str | None = None) -> ReplyTarget:
        """Where an answer to the message with this key goes, or to nothing."""
        return ReplyTarget(self.chat.conversation, message=message)

    async def send(
        self,
        text: str,
        key: str = "k1",
        live: LiveReply | None = None,
        *,
        to: ReplyTarget | None = None,
        **extra: Any,
    ) -> Receipt:
        return await self.chat.send(OutgoingMessage(to or self.target(), text, **extra), key, live)


@asynccontextmanager
async def terminal(
    folder: Path, acceptance: Acceptance = Acceptance.TURN, **how: Any
) -> AsyncGenerator[Terminal]:
    """Run a terminal; `how` goes to `chat_on`."""
    view, house = ScriptedView(), House(acceptance)
    chat = chat_on(view, folder, **how)
    async with running(chat, house):
        yield Terminal(view, house, chat)


async def until(event: asyncio.Event) -> None:
    async with asyncio.timeout(60):
        await event.wait()


async def accepted(house: House, count: int) -> list[IncomingMessage]:
    """Wait for the accepted messages, including file work in threads."""
    await waiting.until(lambda: len(house.accepted) >= count)
    return house.accepted


async def noticed(view: ScriptedView) -> str:
    await waiting.until(lambda: view.notices)
    return view.notices[-1]
