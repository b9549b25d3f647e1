"""A terminal view that a test types into and reads from."""

import asyncio
from collections.abc import Sequence

from bot.chat.terminal.view import Entry, Interrupted, Left, Option, TurnProgress, Typed
from bot.domain.chat import ToolEnded


class ScriptedView:
    """Implements `chat.terminal.view.TerminalView`; keeps everything shown in plain lists."""

    def __init__(self, *lines: str) -> None:
        self.said: list[str] = []
        self.offered: list[tuple[Option, ...]] = []
        self.asides: list[str] = []
        self.notices: list[str] = []
        self.tools: list[str] = []
        self.shown_progress: list[TurnProgress | None] = []
        self.columns: int | None = None
        self.opened = 0
        self.closed = 0
        self._entries: asyncio.Queue[Entry] = asyncio.Queue()
        for line in lines:
            self.type(line)

    def type(self, text: str) -> None:
        """Send this text as the person."""
        self._entries.put_nowait(Typed(text))

    def interrupt(self) -> None:
        """Press Ctrl-C as the person."""
        self._entries.put_nowait(Interrupted())

    def leave(self) -> None:
        """Press Ctrl-D as the person."""
        self._entries.put_nowait(Left())

    async def open(self) -> None:
        self.opened += 1

    async def close(self) -> None:
        self.closed += 1

    async def read(self) -> Entry:
        return await self._entries.get()

    def say(self, text: str, options: Sequence[Option] = ()) -> None:
        self.said.append(text)
        self.offered.append(tuple(options))

    def aside(self, text: str) -> None:
        self.asides.append(text)

    def notice(self, text: str) -> None:
        self.notices.append(text)

    def tool_done(self, summary: str, ended: ToolEnded) -> None:
        self.tools.append(f"{summary} {'✓' if ended.ok else '✗'}")

    def progress(self, progress: TurnProgress | None) -> None:
        self.shown_progress.append(progress)
