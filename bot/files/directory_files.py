"""Folders of the home and the program as read-only files (`/skills`): home first."""

import asyncio
import contextlib
import hashlib
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from bot.domain.database import Unit
from bot.domain.files import FileEntry, FileText
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import ToolContext
from bot.errors import ToolError
from bot.files.paths import normalise
from bot.storage.confined import open_folder, read_bytes

FILE_BYTES = 4 * 1024 * 1024


class DirectoryFiles:
    """Implements `FileSource` over folders on disk. The same relative path in an earlier root wins.

    Symbolic links below a root, hidden files and whatever isn't a plain text file are not there for
    the reader. `origin` says how far the texts are to be trusted (the operator's own by default).
    """

    writable = False

    def __init__(self, prefix: str, roots: Sequence[Path], *, origin: Origin | None = None) -> None:
        self.prefix = normalise(prefix)
        self._roots = tuple(roots)
        self._origin = origin or Origin(Trust.OPERATOR, f"file:{self.prefix}")

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        parts = self._parts(path)
        data = await asyncio.to_thread(self._read, parts) if parts else None
        if data is None:
            return None
        if len(data) > FILE_BYTES:
            raise ToolError(
                f"{path} is larger than {FILE_BYTES // 1024 // 1024} MB and can't be read here"
            )
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ToolError(f"{path} is not a text file (UTF-8); it can't be read here") from None
        return FileText(path, text, hashlib.sha256(data).hexdigest()[:32], self._origin)

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        raise ToolError(f"{self.prefix} is read-only; nothing was changed")

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        raise ToolError(f"{self.prefix} is read-only; nothing was changed")

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        found = await asyncio.to_thread(self._list, self._parts(path))
        if found is None:
            return () if path == self.prefix else None
        base = path.rstrip("/")
        return tuple(
            FileEntry(f"{base}/{name}", directory=size is None, size=size, origin=self._origin)
            for name, size in sorted(found.items())
        )

    def _parts(self, path: str) -> tuple[str, ...]:
        return tuple(part for part in path.removeprefix(self.prefix).split("/") if part)

    # --- in a thread ---

    def _read(self, parts: tuple[str, ...]) -> bytes | None:
        if any(part.startswith(".") for part in parts):
            return None
        for root in self._roots:
            with contextlib.suppress(OSError), open_folder(root, parts[:-1]) as folder:
                return read_bytes(folder, parts[-1], FILE_BYTES + 1)
        return None

    def _list(self, parts: tuple[str, ...]) -> dict[str, int | None] | None:
        """Names with sizes in bytes, None for folders; None when no root has the folder."""
        if any(part.startswith(".") for part in parts):
            return None
        found: dict[str, int | None] | None = None
        for root in self._roots:
            with contextlib.suppress(OSError), open_folder(root, parts) as folder:
                found = {**_entries(folder), **(found or {})}
        return found


def _entries(folder: int) -> dict[str, int | None]:
    entries: dict[str, int | None] = {}
    for name in os.listdir(folder):
        with contextlib.suppress(OSError, UnicodeEncodeError):
            name.encode()  # a name that isn't UTF-8 can't be asked for
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if not name.startswith(".") and stat.S_ISDIR(status.st_mode):
                entries[name] = None
            elif not name.startswith(".") and stat.S_ISREG(status.st_mode):
                entries[name] = status.st_size
    return entries
