"""Bytes named by their hash: attachments and other files of `data/blobs`."""

import asyncio
import contextlib
import fcntl
import hashlib
import os
import re
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Set
from io import BufferedWriter
from pathlib import Path

from bot.errors import StorageError, raised_as
from bot.storage.confined import TEMPORARY, open_folder, read_bytes, replace_bytes
from bot.storage.file_locks import LOCK, locked

_NAME = re.compile(r"[0-9a-f]{64}")
_ARRIVING = re.compile(r"\.arriving-[0-9a-f]{32}")


class Blobs:
    """A folder of files `<sha256>`; putting the same bytes twice keeps one file.

    Several processes may use it. Who puts a file shares the lock of the folder, who sweeps has it
    alone; and who writes one as it arrives has the lock of that file. Raises StorageError.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = folder / LOCK
        self._unneeded: dict[str, int] = {}
        """Blobs that nothing needed in the last sweep, with the time of their storing in
        nanoseconds.
        """

    async def put(self, data: bytes) -> str:
        """Store bytes durably and return their name."""
        return await asyncio.to_thread(self._put, data)

    async def put_pieces(self, pieces: AsyncIterator[bytes]) -> tuple[str, int]:
        """Stream bytes to disk durably; returns their name and number.

        If `pieces` raises, nothing is stored.
        """
        with self._new_file() as arriving:
            await asyncio.to_thread(self._begin, arriving)
            async for piece in pieces:
                await asyncio.to_thread(arriving.add, piece)
            return await asyncio.to_thread(self._keep, arriving), arriving.size

    async def get(self, name: str, limit: int | None = None) -> bytes | None:
        """The bytes of that name, at most `limit` of them, or None when they aren't stored."""
        return await asyncio.to_thread(self._get, name, limit)

    async def pieces(self, name: str, size: int = 256 * 1024) -> AsyncGenerator[bytes]:
        """The bytes of that name, at most `size` at a time; an error when they aren't stored."""
        path = self._path(name)
        with raised_as(StorageError, OSError, about=f"cannot read {path}"):
            file = await asyncio.to_thread(path.open, "rb")
            try:
                while piece := await asyncio.to_thread(file.read, size):
                    yield piece
            finally:
                await asyncio.to_thread(file.close)

    async def sweep(self, needed: Set[str]) -> int:
        """Remove files that were not in `needed` in this sweep and the last; returns how many.

        So a file that any process stored between two sweeps is safe before anything refers to it.
        Half-written files of a process that has ended are removed at once.
        """
        return await asyncio.to_thread(self._sweep, needed)

    async def exists(self, name: str) -> bool:
        return await asyncio.to_thread(self._path(name).is_file)

    def _put(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        with (
            raised_as(StorageError, OSError, about=f"cannot store a file in {self.folder}"),
            open_folder(self.folder, (), create=True) as folder,
            locked(self._lock, shared=True),
        ):
            if not self._path(name).is_file():
                replace_bytes(folder, name, data)
            _touch(folder, name)
        return name

    @contextlib.contextmanager
    def _new_file(self) -> Generator["_Arriving"]:
        arriving = _Arriving(self.folder / f".arriving-{secrets.token_hex(16)}")
        try:
            yield arriving
        except OSError as error:
            raise StorageError(
                f"cannot store a file in {self.folder}: {error.strerror or error}"
            ) from error
        finally:
            arriving.close()

    def _begin(self, arriving: "_Arriving") -> None:
        with open_folder(self.folder, (), create=True), locked(self._lock, shared=True):
            arriving.open()

    def _keep(self, arriving: "_Arriving") -> str:
        """Give a file that is whole its name."""
        arriving.sync()
        name = arriving.digest.hexdigest()
        with open_folder(self.folder, ()) as folder, locked(self._lock, shared=True):
            arriving.path.replace(self.folder / name)
            _touch(folder, name)
            os.fsync(folder)
        return name

    def _sweep(self, needed: Set[str]) -> int:
        try:
            with open_folder(self.folder, ()) as folder, locked(self._lock):
                found = os.listdir(folder)  # noqa: PTH208 - of a descriptor
                for name in found:
                    # Whoever puts a file holds the lock, so nobody is writing a temporary one.
                    if TEMPORARY.fullmatch(name) or (
                        _ARRIVING.fullmatch(name) and not _is_written(folder, name)
                    ):
                        os.unlink(name, dir_fd=folder)
                unneeded = {
                    name: os.stat(name, dir_fd=folder).st_mtime_ns
                    for name in found
                    if _NAME.fullmatch(name) and name not in needed
                }
                gone = [name for name, put in unneeded.items() if self._unneeded.get(name) == put]
                for name in gone:
                    os.unlink(name, dir_fd=folder)
        except FileNotFoundError:
            return 0
        self._unneeded = {name: put for name, put in unneeded.items() if name not in gone}
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
            raise StorageError(
                f"{name[:80]!r} is not the name of a stored file; it is the SHA-256 of its bytes"
            )
        return self.folder / name


def _touch(folder: int, name: str) -> None:
    """Update its time, so that a sweep that saw it unneeded keeps it."""
    now = time.time_ns()
    os.utime(name, ns=(now, now), dir_fd=folder)


def _is_written(folder: int, name: str) -> bool:
    """Whether a process still writes an arriving file, or removes it itself."""
    try:
        descriptor = os.open(name, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


class _Arriving:
    """A blob file that is being written; `close` removes it unless it got its name before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.digest = hashlib.sha256()
        self.size = 0
        self._file: BufferedWriter | None = None

    def open(self) -> None:
        """It is locked until it is closed, so that nobody takes it for left over."""
        self._file = self.path.open("xb")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def add(self, piece: bytes) -> None:
        """Raises ValueError after `close`, in a thread whose task was cancelled."""
        assert self._file is not None  # noqa: S101 - it was opened first
        self._file.write(piece)
        self.digest.update(piece)
        self.size += len(piece)

    def sync(self) -> None:
        assert self._file is not None  # noqa: S101 - it was opened first
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        with contextlib.suppress(OSError):
            if self._file is not None:
                self._file.close()
            self.path.unlink(missing_ok=True)
