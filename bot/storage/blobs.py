"""Bytes that are named by their content: attachments and other files of `data/blobs` (design, "Attachment")."""

import asyncio
import hashlib
import re
from pathlib import Path

from bot.errors import StorageError
from bot.storage.confined import open_folder, read_bytes, replace_bytes

_NAME = re.compile(r"[0-9a-f]{64}")


class Blobs:
    """A folder of files `<sha256>`; putting the same bytes twice keeps one file. Raises StorageError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def put(self, data: bytes) -> str:
        """Store bytes durably and return their name."""
        return await asyncio.to_thread(self._put, data)

    async def get(self, name: str) -> bytes | None:
        """The bytes of that name, or None when they were never stored."""
        return await asyncio.to_thread(self._get, name)

    async def exists(self, name: str) -> bool:
        return await asyncio.to_thread(self._path(name).is_file)

    def _put(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        try:
            if not self._path(name).is_file():
                with open_folder(self.folder, (), create=True) as folder:
                    replace_bytes(folder, name, data)
        except OSError as error:
            raise StorageError(f"cannot store a file in {self.folder}: {error.strerror or error}") from error
        return name

    def _get(self, name: str) -> bytes | None:
        path = self._path(name)
        try:
            with open_folder(self.folder, ()) as folder:
                return read_bytes(folder, path.name)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError(f"cannot read {path}: {error.strerror or error}") from error

    def _path(self, name: str) -> Path:
        if _NAME.fullmatch(name) is None:
            raise StorageError(f"{name[:80]!r} is not the name of a stored file; it is the SHA-256 of its bytes")
        return self.folder / name
