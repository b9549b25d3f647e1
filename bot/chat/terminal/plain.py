"""A view for pipes, scripts and `--once`: answers on stdout, everything else on stderr."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TextIO

from bot.chat.terminal.view import Entry, Left, Option, TurnProgress, Typed, safe
from bot.domain.chat import ToolEnded

ReadLine = Callable[[], Awaitable[str | None]]
"""The next line of input without its newline, or None at the end."""


class PlainView:
    """Implements `TerminalView` without colours or cursor movement.

    `render` formats an answer's markdown for printing; by default it stays as it is. `columns`
    tells how wide the screen is then.
    """

    def __init__(
        self,
        read_line: ReadLine,
        out: TextIO,
        errors: TextIO,
        *,
        render: Callable[[str], str] | None = None,
        columns: Callable[[], int] | None = None,
        tools: bool = False,
    ) -> None:
        self._read_line = read_line
        self._out = out
        self._errors = errors
        self._render = render
        self._columns = columns
        self._tools = tools
        self._unread = False
        """Whether nobody reads the output any more (`bellhop chat | head -1`)."""

    @property
    def columns(self) -> int | None:
        return self._columns() if self._columns is not None else None

    async def open(self) -> None:
        """Nothing to prepare: the streams are open."""

    async def close(self) -> None:
        self._print(self._out, "")
        self._print(self._errors, "")

    async def read(self) -> Entry:
        if self._unread:
            return Left("nobody reads the output any more")
        line = await self._read_line()
        return Left() if line is None else Typed(line)

    def say(self, text: str, options: Sequence[Option] = ()) -> None:
        lines = [f"{option.number} {option.label}" for option in options]
        whole = "\n\n".join(part for part in (text, "\n".join(lines)) if part)
        self._print(self._out, self._render(whole) if self._render else f"{whole}\n")

    def aside(self, text: str) -> None:
        self._print(self._errors, f"(an earlier answer) {safe(text)}\n")

    def notice(self, text: str) -> None:
        self._print(self._errors, f"{safe(text)}\n")

    def tool_done(self, summary: str, ended: ToolEnded) -> None:
        if self._tools:
            end = f"{'✓' if ended.ok else '✗'} {ended.seconds:.1f}s"
            self._print(
                self._errors, f"⚙ {safe(summary)} {'… waits for a yes' if ended.waits else end}\n"
            )

    def progress(self, progress: TurnProgress | None) -> None:
        """Nothing: an answer is printed when it is whole."""

    def _print(self, stream: TextIO, text: str) -> None:
        try:
            stream.write(text)
            stream.flush()
        except BrokenPipeError:
            # The reader closed the output: the message counts as shown, and the conversation ends.
            self._unread = True
            with contextlib.suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())


def one_line(text: str) -> ReadLine:
    """An input of one text."""
    left = [text]

    async def read_line() -> str | None:
        return left.pop() if left else None

    return read_line


def lines_of(stream: TextIO) -> ReadLine:
    """Lines of a stream that aren't blank.

    It reads in daemon threads, so that a waiting reader can't delay the exit.
    """

    async def read_line() -> str | None:
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[str] = loop.create_future()

        def settle(line: str) -> None:
            if not waiting.done():
                waiting.set_result(line)

        def work() -> None:
            line = stream.readline()
            while line and not line.strip():
                line = stream.readline()
            with contextlib.suppress(RuntimeError):  # the loop has closed meanwhile
                loop.call_soon_threadsafe(settle, line)

        threading.Thread(target=work, name="standard-input", daemon=True).start()
        line = await waiting
        return line.rstrip("\r\n") if line else None

    return read_line
