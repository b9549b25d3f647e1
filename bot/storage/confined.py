"""Reads and replaces files below one root, with no way out of it.

Each step of a path is opened relative to the folder before it and never through a symbolic link. So
neither `..` nor a link that appears between check and use leads outside. The root itself may be a
link, because it is the operator's. All functions block; call them in a thread.
"""

import contextlib
import errno
import os
import re
import secrets
import stat
from collections.abc import Generator, Sequence
from pathlib import Path

from bot.errors import StorageError
from bot.regular_file import regular

TEMPORARY = re.compile(r"\..{1,100}\.[0-9a-f]{16}\.tmp", re.DOTALL)
"""The names of files that are being written."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def parts_of(path: str) -> tuple[str, ...]:
    """Split a relative POSIX path.

    Raises StorageError for absolute paths, `..` and names no file can have.
    """
    parts = tuple(path.split("/"))
    if any(not _is_name(part) or "\\" in part for part in parts):
        raise StorageError(
            f"{path!r} is not a path below the folder; use names joined by single slashes"
        )
    return parts


def _is_name(part: str) -> bool:
    return part not in ("", ".", "..") and "/" not in part and "\0" not in part


@contextlib.contextmanager
def open_folder(
    root: Path, parts: Sequence[str], *, create: bool = False
) -> Generator[int, None, None]:
    """The descriptor of a folder below `root`.

    Raises FileNotFoundError when it doesn't exist (and `create` is off), another OSError when a
    step is a link or no folder.
    """
    if not all(_is_name(part) for part in parts):
        raise OSError(f"{'/'.join(parts)} is not a path below the folder")
    if create:
        root.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=descriptor)
                    os.fsync(descriptor)
            inner = os.open(part, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def read_bytes(folder: int, name: str, limit: int | None = None) -> bytes:
    """The content of a regular file of an open folder, at most `limit` bytes of it.

    Raises FileNotFoundError, IsADirectoryError, or another OSError for links, pipes and devices.
    """
    if not _is_name(name):
        raise OSError(f"{name!r} is not the name of a file")
    try:
        descriptor = os.open(name, _FILE, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            error.strerror = "it is a symbolic link"
        raise
    with regular(descriptor, name) as file:
        return file.read() if limit is None else file.read(limit)


def temporary_name(name: str) -> str:
    """A name that nobody has, for a file that becomes `name` when it is whole."""
    return f".{name[:100]}.{secrets.token_hex(8)}.tmp"


def make_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Make a file that is whole, or not there at all.

    Raises FileExistsError, which leaves the one that is there, or another OSError.
    """
    part = path.with_name(temporary_name(path.name))
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        try:
            os.link(part, path)
        except OSError:  # also of a disk that has no links
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path) from None
            part.rename(path)
    finally:
        part.unlink(missing_ok=True)


def replace_bytes(folder: int, name: str, data: bytes) -> None:
    """Replace a file's content atomically: readers, and a crash, see the old text or the new.

    The permissions of an existing file are kept.
    """
    temporary = temporary_name(name)
    descriptor = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=folder
    )
    try:
        with os.fdopen(descriptor, "wb") as file:
            with contextlib.suppress(FileNotFoundError):
                os.fchmod(
                    descriptor,
                    stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode),
                )
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)
        raise
    os.fsync(folder)
