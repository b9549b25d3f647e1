"""Completion and history of the prompt."""

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory

from bot.chat.terminal.typed import readable

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
