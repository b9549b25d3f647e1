"""A terminal chat on a scripted view, with a stand-in for the Router."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bot.chat.terminal.adapter import TerminalChat, terminal_conversation
from bot.domain.chat import Acceptance
from bot.domain.messages import Attachment, IncomingMessage, PlatformPerson
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
