"""memory/<agent>_conversations.jsonl: a line for each summary, for people and scripts.

The database is the truth.
"""

import asyncio
import json
import os
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from bot.clock import format_utc
from bot.domain.json_types import JsonObject
from bot.domain.summaries import ConversationSummary
from bot.errors import StorageError, raised_as
from bot.memory.summaries.form import to_json
from bot.memory.tiers import file_name
from bot.storage.confined import open_folder, read_bytes, replace_bytes
from bot.storage.file_locks import LOCK, locked

TAIL_BYTES = 512_000
"""The end of the file that is searched for lines that a crash left unrecorded."""
FILE_BYTES = 200_000_000
"""The largest file from which lines are removed."""
T = TypeVar("T")
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


class SummaryLog:
    """Appends and removes lines; `root` is the home's `memory/`."""

    def __init__(self, root: Path, lock: Path | None = None) -> None:
        self._root = root
        self._lock = lock or root / LOCK

    async def append(
        self, summaries: Sequence[ConversationSummary], *, again: bool = False
    ) -> None:
        """Add lines. `again`: skip those that already exist. Raises StorageError."""
        agents = dict.fromkeys(summary.agent for summary in summaries)
        for agent in agents:
            lines = {one.id: line_of(one) for one in summaries if one.agent == agent}
            await self._guarded(agent, partial(self._append, lines=lines, again=again))

    async def remove(self, agent: str, ids: Collection[str]) -> int:
        """Remove the lines of these summaries; returns their number.

        Raises StorageError.
        """
        return await self._guarded(agent, lambda name: self._remove(name, frozenset(ids)))

    async def forget(self, agent: str, person: str, names: Callable[[str], bool]) -> int:
        """Remove the lines of one person that `names` means; returns their number.

        Raises StorageError.
        """

        def meant(line: bytes) -> bool:
            return _field(line, "person") == person and names(line.decode("utf-8", "replace"))

        return await self._guarded(agent, lambda name: self._without(name, meant))

    async def _guarded(self, agent: str, work: Callable[[str], T]) -> T:
        name = f"{file_name(agent)}_conversations.jsonl"
        with raised_as(StorageError, OSError, about=f"{self._root / name} can't be written"):
            return await asyncio.to_thread(work, name)

    # --- in a thread ---

    def _append(self, name: str, lines: dict[str, bytes], *, again: bool) -> None:
        with open_folder(self._root, (), create=True) as folder, locked(self._lock):
            descriptor = os.open(name, _APPEND, 0o600, dir_fd=folder)
            with os.fdopen(descriptor, "ab") as file:
                there = _ids(_tail(folder, name)) if again else frozenset[str]()
                gap = b"\n" if _is_torn(folder, name) else b""  # a crash may have cut the last line
                file.write(gap + b"".join(line for id_, line in lines.items() if id_ not in there))
                file.flush()
                os.fsync(descriptor)

    def _remove(self, name: str, ids: frozenset[str]) -> int:
        return self._without(name, lambda line: _id(line) in ids)

    def _without(self, name: str, gone: Callable[[bytes], bool]) -> int:
        with open_folder(self._root, (), create=True) as folder, locked(self._lock):
            try:
                data = read_bytes(folder, name, FILE_BYTES + 1)
            except FileNotFoundError:
                return 0
            if len(data) > FILE_BYTES:
                raise OSError(
                    f"it is larger than {FILE_BYTES // 1_000_000} MB; move it away and try again"
                )
            lines = data.splitlines(keepends=True)
            kept = [line for line in lines if not gone(line)]
            if len(kept) < len(lines):
                replace_bytes(folder, name, b"".join(kept))
            return len(lines) - len(kept)


def line_of(summary: ConversationSummary) -> bytes:
    """One line: its person, its origin, and the fields that a model wrote.

    Whether it was distilled is not among them: that changes after the line is written.
    """
    data = {
        "id": summary.id,
        "at": format_utc(summary.ended_at),
        "person": summary.person,
        "conversation": summary.conversation,
        "learned": summary.learned.reach.value,
        "trust": summary.trust.name.lower(),
        "by_model": summary.by_model,
        **to_json(summary.fields),
    }
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _tail(folder: int, name: str) -> bytes:
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL_BYTES))
        return file.read()


def _is_torn(folder: int, name: str) -> bool:
    tail = _tail(folder, name)[-1:]
    return tail not in {b"", b"\n"}


def _ids(data: bytes) -> frozenset[str]:
    return frozenset(id_ for line in data.splitlines() if (id_ := _id(line)))


def _id(line: bytes) -> str:
    """The id of a line; empty for one that isn't ours."""
    return _field(line, "id")


def _field(line: bytes, name: str) -> str:
    try:
        data = json.loads(line)
    except ValueError:
        return ""
    return str(cast("JsonObject", data).get(name, "")) if isinstance(data, dict) else ""
