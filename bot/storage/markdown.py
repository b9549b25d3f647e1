"""Markdown files that people and Bellhop edit, without lost changes."""

import asyncio
import contextlib
import errno
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.errors import StorageError
from bot.regular_file import TEXT_BYTES, too_large
from bot.storage.confined import open_folder, parts_of, read_bytes, replace_bytes
from bot.storage.file_locks import LOCK, locked

UPDATE_TRIES = 3
"""The most tries of an update to a file that keeps changing."""
_ODD = (errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.EINVAL)
"""Something else lies in the place of the file."""


@dataclass(frozen=True)
class MarkdownFile:
    text: str
    version: str
    """Hash of the content."""


class MarkdownStore:
    """Text files below one root, addressed by relative POSIX paths (`ann/assistant_memory.md`).

    Our own editors (tasks, threads, other processes) take turns through `lock`, a file. A person's
    editor takes no lock, so an update is computed again if the file changed meanwhile.
    """

    def __init__(self, root: Path, lock: Path | None = None) -> None:
        self.root = root
        self.lock = lock or root / LOCK

    async def read(self, path: str) -> MarkdownFile | None:
        """The file, or None when there is none.

        Raises StorageError (no UTF-8, a link, not readable).
        """
        return await asyncio.to_thread(self._read, path)

    async def several(self, paths: Sequence[str]) -> list[MarkdownFile | StorageError | None]:
        """Like `read`, for some files in one go; with the error of each that has one."""
        return await asyncio.to_thread(lambda: [self._tried(path) for path in paths])

    async def update(
        self, path: str, fn: Callable[[str], str], *, backup: bool = False
    ) -> MarkdownFile:
        """Replace a file's text by `fn(text)`; `fn` gets "" for a new file.

        `fn` runs in a thread and may be called several times. Nothing is written if the text stays
        the same. `backup` keeps the old text as `<name>.bak`. Raises StorageError and leaves the
        file as it was.
        """
        return await asyncio.to_thread(self._update, path, fn, backup)

    # --- in a thread ---

    def _read(self, path: str) -> MarkdownFile | None:
        *folders, name = parts_of(path)
        try:
            with open_folder(self.root, folders) as folder:
                data = _whole(folder, name)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._trouble("read", path, error) from error
        return MarkdownFile(self._text(path, data), _version(data))

    def _tried(self, path: str) -> MarkdownFile | StorageError | None:
        try:
            return self._read(path)
        except StorageError as error:
            return error

    def _update(self, path: str, fn: Callable[[str], str], backup: bool) -> MarkdownFile:
        *folders, name = parts_of(path)
        try:
            with open_folder(self.root, folders, create=True) as folder, locked(self.lock):
                for _ in range(UPDATE_TRIES):
                    before = _current(folder, name)
                    after = self._bytes(path, fn(self._text(path, before or b"")))
                    if after == (before or b""):
                        return MarkdownFile(after.decode(), _version(after))
                    if backup and before is not None:
                        replace_bytes(folder, f"{name}.bak", before)
                    if _current(folder, name) == before:
                        replace_bytes(folder, name, after)
                        return MarkdownFile(after.decode(), _version(after))
        except OSError as error:
            raise self._trouble("write", path, error) from error
        raise StorageError(
            f"{self.root / path} was changed by somebody else {UPDATE_TRIES} times in a row;"
            " nothing was written, try again when nobody edits it"
        )

    def _text(self, path: str, data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise StorageError(
                f"{self.root / path} is not UTF-8 at byte {error.start}; save it as UTF-8 text"
            ) from error

    def _bytes(self, path: str, text: str) -> bytes:
        try:
            return text.encode()
        except UnicodeEncodeError as error:
            raise StorageError(
                f"{self.root / path} would get a character that UTF-8 has no bytes for at position "
                f"{error.start};"
                " nothing was written"
            ) from error

    def _trouble(self, verb: str, path: str, error: OSError) -> StorageError:
        trouble = f"cannot {verb} {self.root / path}: {error.strerror or error}"
        if error.errno in _ODD:
            trouble += "; it must be a plain file with no symbolic link below the root"
        elif isinstance(error, PermissionError):
            trouble += "; make it readable and writable for whoever runs Bellhop"
        return StorageError(trouble)


def _current(folder: int, name: str) -> bytes | None:
    with contextlib.suppress(FileNotFoundError):
        return _whole(folder, name)
    return None


def _whole(folder: int, name: str) -> bytes:
    """Read a whole file, up to the size that a person could have written by hand."""
    data = read_bytes(folder, name, TEXT_BYTES + 1)
    if len(data) > TEXT_BYTES:
        raise too_large(name, TEXT_BYTES)
    return data


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
