"""The view for real terminals: a prompt that stays at the bottom while answers stream in above it.

prompt_toolkit is known to this file alone, rich to paint.py.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, HTML
from prompt_toolkit.history import FileHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Style

from bot.chat.draft_lines import change_hint, checklist
from bot.chat.rendering import tail_of
from bot.chat.terminal import paint
from bot.chat.terminal.typed import Pastes, readable
from bot.chat.terminal.view import Entry, Interrupted, Left, Option, TurnProgress, Typed
from bot.domain.characters import shortened
from bot.domain.chat import PlanShown, ToolEnded

_REMEMBERED = 10_000
"""Longer inputs are not written to the history file."""

BUILT_IN_COMMANDS: tuple[tuple[str, str], ...] = (
    ("help", "what Bellhop can do here"),
    ("new", "start afresh; files, todos, notes and memory stay"),
    ("end", "end this session"),
    ("stop", "stop what is running"),
    ("status", "what is running, which model, what waits"),
    ("why", "what happened to your last message, or to a reference"),
    ("compact", "go on from a summary of this conversation"),
    ("approve", "allow a call that waits for your yes"),
    ("reject", "refuse a call that waits for your yes"),
    ("grants", "what runs without asking; `revoke REF` revokes it"),
    ("exit", "leave; Bellhop keeps what it was told"),
)

OWN_COMMANDS = tuple(command for command in BUILT_IN_COMMANDS if command[0] == "exit")
"""The terminal's own commands."""

Commands = Callable[[], Sequence[tuple[str, str]]]
"""Returns the name and one line about each completable command."""


class LenientHistory(FileHistory):
    """History that never fails: replaces unreadable bytes, accepts a read-only folder."""

    def load_history_strings(self) -> Iterable[str]:
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        if len(string) > _REMEMBERED:
            return
        with contextlib.suppress(OSError):
            super().store_string(readable(string))


class ChatCompleter(Completer):
    """Commands at the start of the text, file names after `@`."""

    def __init__(self, commands: Commands, folder: Path) -> None:
        self._commands = commands
        self._folder = folder

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        text = document.text_before_cursor
        if re.fullmatch(r"/[A-Za-z0-9_-]*", text):
            for name, about in self._commands():
                if name.startswith(text[1:].lower()):
                    yield Completion(f"/{name}", -len(text), display_meta=about)
            return
        match = re.search(r"(?:^|\s)@([^\s\"]*)$", text)
        if match is not None:
            yield from _paths(match[1], self._folder)


def _paths(written: str, folder: Path) -> Iterable[Completion]:
    parent, _, prefix = written.rpartition("/")
    start = Path(f"{parent}/").expanduser() if parent or written.startswith("/") else Path()
    try:
        entries = sorted((folder / start).iterdir(), key=lambda entry: entry.name.casefold())
    except (OSError, RuntimeError):
        return
    for entry in entries:
        if (
            entry.name.startswith(prefix)
            and (prefix or not entry.name.startswith("."))
            and " " not in entry.name
        ):
            name = f"{entry.name}/" if entry.is_dir() else entry.name
            yield Completion(name, -len(prefix))


def completes() -> bool:
    """Whether the text before the cursor can be completed."""
    text = get_app().current_buffer.document.text_before_cursor
    return re.search(r"^/[A-Za-z0-9_-]*$|(?:^|\s)@\S*$", text) is not None


_PROMPT = "❯"  # noqa: RUF001 - it is meant to be this sign
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAME_SECONDS = 1.0
"""Each frame redraws the whole prompt, for 5 ms of CPU time; the spinner counts seconds."""
_LIVE_CHARACTERS = 4000
"""The most streamed text that is rendered per frame; older text shows with the whole answer."""
_ROWS_KEPT_FREE = 10
_ECHOED_LINES = 12
_ECHOED_CHARACTERS = 600

_STYLE = Style.from_dict(
    {
        "placeholder": "ansibrightblack",
        "completion-menu": "bg:default",
        "completion-menu.completion": "bg:default fg:default",
        "completion-menu.completion.current": "bg:default fg:ansicyan bold noreverse",
        "completion-menu.meta.completion": "bg:default fg:ansibrightblack",
        "completion-menu.meta.completion.current": "bg:default fg:ansibrightblack noreverse",
        "scrollbar.background": "bg:default",
        "scrollbar.button": "bg:default",
    }
)


class PromptView:
    """A `TerminalView` with an editable prompt, a live area above it and a clean scrollback."""

    def __init__(
        self,
        history: Path,
        *,
        banner: str = "",
        commands: Commands = lambda: BUILT_IN_COMMANDS,
        folder: Path | None = None,
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
    ) -> None:
        self.banner = banner
        """Printed when the view opens."""
        self.commands = commands
        """Returns the completions after a slash, for each completion."""
        self._pastes = Pastes()
        self._progress: TurnProgress | None = None
        self._busy_since = 0.0
        self._frame = 0
        self._ticker: asyncio.Task[None] | None = None
        self._queued: list[str] = []
        self._flusher: asyncio.Task[None] | None = None
        self._after_tool_lines = False
        self._draft = ""
        self._rendered: tuple[str, int, list[str]] = ("", 0, [])
        self._session: PromptSession[Entry | str] = PromptSession(
            message=self._message,
            multiline=True,
            erase_when_done=True,
            history=LenientHistory(str(history)),
            completer=ChatCompleter(self._offered, folder or Path.cwd()),
            complete_while_typing=Condition(completes),
            key_bindings=_key_bindings(self),
            placeholder=HTML("<placeholder>Message Bellhop, or /help</placeholder>"),
            prompt_continuation="  ",
            reserve_space_for_menu=6,
            style=_STYLE,
            input=terminal_input,
            output=terminal_output,
        )
        self._session.app.min_redraw_interval = 0.05

    def _offered(self) -> Sequence[tuple[str, str]]:
        return self.commands()

    # --- reading ---

    async def open(self) -> None:
        if self.banner:
            self._write(self.banner)

    async def close(self) -> None:
        self.progress(None)
        if self._flusher is not None:
            await self._flusher

    async def read(self) -> Entry:
        try:
            entry = await self._session.prompt_async(default=self._draft)
        except EOFError:
            return Left()
        except KeyboardInterrupt:
            return Interrupted()
        if not isinstance(entry, str):
            return entry
        self._draft = ""
        text = self._pastes.unfold(entry)
        if text.strip():
            self._write(_echo(text))
        return Typed(text)

    def keep_draft(self, text: str) -> None:
        """Put this text back into the prompt at the next opening."""
        self._draft = text

    def fold(self, text: str) -> str:
        """The placeholder of a paste in the prompt."""
        return self._pastes.fold(text)

    @property
    def busy(self) -> bool:
        return self._progress is not None

    # --- showing ---

    def say(self, text: str, options: Sequence[Option] = ()) -> None:
        columns = self._columns()
        parts = [paint.markdown(text, columns)] if text.strip() else []
        if options:
            hint = paint.styled("Type a number, or answer in your own words.", "dim")
            parts.append(f"{paint.options(options, columns)}{paint.INDENT}{hint}\n")
        above = [""] if self._after_tool_lines else []
        self._write("\n".join([*above, *parts]) + "\n")

    def aside(self, text: str) -> None:
        self._write(f"{paint.INDENT}{paint.styled('An answer from before:', 'dim')}\n")
        self.say(text)

    def notice(self, text: str) -> None:
        self._write(f"{paint.INDENT}{paint.styled(text, 'dim')}\n\n")

    def tool_done(self, summary: str, ended: ToolEnded) -> None:
        self._write(paint.tool_line(summary, ended))
        self._after_tool_lines = True

    def progress(self, progress: TurnProgress | None) -> None:
        if progress is not None and self._progress is None:
            self._busy_since = asyncio.get_running_loop().time()
        self._progress = progress
        if progress is not None and self._ticker is None:
            self._ticker = asyncio.create_task(self._tick(), name="terminal-spinner")
        elif progress is None and self._ticker is not None:
            self._ticker.cancel()
            self._ticker = None
        self._session.app.invalidate()

    async def _tick(self) -> None:
        while True:
            self._frame += 1
            self._session.app.invalidate()
            await asyncio.sleep(_FRAME_SECONDS)

    def _write(self, text: str) -> None:
        """Print above the prompt, in order; the prompt is removed and drawn again."""
        self._queued.append(text)
        self._after_tool_lines = False
        if not self._session.app.is_running:
            self._flush()
        elif self._flusher is None or self._flusher.done():
            self._flusher = asyncio.create_task(self._flush_above(), name="terminal-output")

    async def _flush_above(self) -> None:
        while self._queued:
            async with in_terminal():
                self._flush()

    def _flush(self) -> None:
        text, self._queued = "".join(self._queued), []
        output = self._session.output
        output.write_raw(text.replace("\n", "\r\n"))
        output.flush()

    @property
    def columns(self) -> int:
        return paint.text_columns(self._columns())

    def _columns(self) -> int:
        return self._session.output.get_size().columns

    # --- the live area ---

    def _message(self) -> ANSI:
        """Everything above the cursor: streamed text, running tools, spinner and prompt."""
        lines = self._live_lines()
        lines.append(f"{paint.styled(_PROMPT, 'bold cyan')} ")
        return ANSI("\n".join(lines))

    def _live_lines(self) -> list[str]:
        progress = self._progress
        if progress is None or get_app().is_done:
            return []
        lines = [""] if self._after_tool_lines else []
        if progress.plan is not None:
            lines += self._planned(progress.plan)
        lines += self._streamed(progress.text)
        lines += [
            (
                f"{paint.INDENT}{paint.styled('⚙', 'cyan')} "
                f"{paint.styled(' '.join(tool.summary.split()), 'dim')}"
            )
            for tool in progress.tools
        ]
        return [*lines, self._spinner(progress), ""]

    def _planned(self, plan: PlanShown) -> list[str]:
        hint = change_hint(plan, "/plan")
        lines = (*checklist(plan), *([hint] if hint else []))
        return [f"{paint.INDENT}{paint.styled(line, 'dim')}" for line in lines]

    def _streamed(self, text: str) -> list[str]:
        columns, rows = self._columns(), self._session.output.get_size().rows
        if self._rendered[:2] != (text, columns):
            rendered = (
                paint.markdown(tail_of(text, _LIVE_CHARACTERS), columns).splitlines()
                if text.strip()
                else []
            )
            self._rendered = (text, columns, [*rendered, ""] if rendered else [])
        return self._rendered[2][-max(3, rows - _ROWS_KEPT_FREE) :]

    def _spinner(self, progress: TurnProgress) -> str:
        seconds = int(asyncio.get_running_loop().time() - self._busy_since)
        what = progress.status or (
            "Writing" if progress.text else "Working" if progress.tools else "Thinking"
        )
        what = shortened(what, max(10, self._columns() - 32))
        frame = _FRAMES[self._frame % len(_FRAMES)]
        elapsed = f"{seconds}s · " if seconds >= 2 else ""
        return (
            f"{paint.INDENT}{paint.styled(frame, 'cyan')} "
            f"{paint.styled(f'{what} ({elapsed}Ctrl-C stops)', 'dim')}"
        )


def _echo(text: str) -> str:
    """The typed text for the scrollback, where a long text is cut. It is sent whole."""
    lines = paint.safe(readable(text)).rstrip("\n").split("\n")
    cut = [
        line if len(line) <= _ECHOED_CHARACTERS else f"{line[:_ECHOED_CHARACTERS]} …"
        for line in lines[:_ECHOED_LINES]
    ]
    if len(lines) > _ECHOED_LINES:
        cut.append(f"… ({len(lines) - _ECHOED_LINES} more lines)")
    first, *rest = (paint.styled(line, "bold") for line in cut)
    return (
        "\n".join(
            [f"{paint.styled(_PROMPT, 'bold cyan')} {first}", *(f"  {line}" for line in rest)]
        )
        + "\n\n"
    )


def _key_bindings(view: PromptView) -> KeyBindings:
    bindings = KeyBindings()

    # What was typed before the prompt was there went through a terminal that turns Enter into c-j.
    @bindings.add("enter")
    @bindings.add("c-j")
    def send(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @bindings.add("escape", "enter")
    @bindings.add("escape", "c-j")
    def newline(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @bindings.add("c-c")
    @bindings.add("<sigint>")
    def interrupt(event: KeyPressEvent) -> None:
        if event.current_buffer.text and not view.busy:
            event.current_buffer.reset()
            return
        view.keep_draft(event.current_buffer.text)
        event.app.exit(result=Interrupted())

    @bindings.add(Keys.BracketedPaste)
    def paste(event: KeyPressEvent) -> None:
        text = event.data.replace("\r\n", "\n").replace("\r", "\n")
        event.current_buffer.insert_text(view.fold(text))

    # The decorators have registered them; this use satisfies the type checker.
    _ = (send, newline, interrupt, paste)
    return bindings
