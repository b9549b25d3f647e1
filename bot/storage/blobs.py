"""Bytes that are named by their content: attachments and other files of `data/blobs` (design, "Attachment")."""

import asyncio
import hashlib
import os
import re
import threading
from collections.abc import Set
from pathlib import Path

from bot.errors import StorageError
from bot.storage.confined import open_folder, read_bytes, replace_bytes

_NAME = re.compile(r"[0-9a-f]{64}")


class Blobs:
    """A folder of files `<sha256>`; putting the same bytes twice keeps one file. Raises StorageError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._unneeded: set[str] = set()
        """Nobody needed them when `sweep` looked last."""
        self._lock = threading.Lock()

    async def put(self, data: bytes) -> str:
        """Store bytes durably and return their name."""
        return await asyncio.to_thread(self._put, data)

    async def get(self, name: str, limit: int | None = None) -> bytes | None:
        """The bytes of that name, at most `limit` of them, or None when they aren't stored."""
        return await asyncio.to_thread(self._get, name, limit)

    async def sweep(self, needed: Set[str]) -> int:
        """Remove what is not among `needed` and was not the last time either; says how many files went.

        What is put between two sweeps is thus safe, though nobody may have noted yet that it is needed.
        """
        return await asyncio.to_thread(self._sweep, needed)

    async def exists(self, name: str) -> bool:
        return await asyncio.to_thread(self._path(name).is_file)

    def _put(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        with self._lock:
            self._unneeded.discard(name)
            there = self._path(name).is_file()
        try:
            if not there:
                with open_folder(self.folder, (), create=True) as folder:
                    replace_bytes(folder, name, data)
        except OSError as error:
            raise StorageError(f"cannot store a file in {self.folder}: {error.strerror or error}") from error
        return name

    def _sweep(self, needed: Set[str]) -> int:
        try:
            there = {name for name in os.listdir(self.folder) if _NAME.fullmatch(name)}  # noqa: PTH208 - names only
        except FileNotFoundError:
            return 0
        with self._lock:
            gone = (there - needed) & self._unneeded
            self._unneeded = there - needed - gone
            for name in gone:
                self._path(name).unlink(missing_ok=True)
        return len(gone)

    def _get(self, name: str, limit: int | None) -> bytes | None:
        path = self._path(name)
        try:
            with open_folder(self.folder, ()) as folder:
                return read_bytes(folder, path.name, limit)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError(f"cannot read {path}: {error.strerror or error}") from error

    def _path(self, name: str) -> Path:
        if _NAME.fullmatch(name) is None:
            raise StorageError(f"{name[:80]!r} is not the name of a stored file; it is the SHA-256 of its bytes")
        return self.folder / name
