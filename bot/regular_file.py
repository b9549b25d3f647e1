"""The one way to read a file by its path: it must be a regular file, and it has a size limit.

A file of a home folder can be anything by mistake: a folder, a pipe that nobody writes to, a link
to /dev/zero. None of them may hang the program or fill its memory. The functions block; call them
in a thread.
"""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

TEXT_BYTES = 1024 * 1024
"""Largest file that a person writes by hand: settings, contacts, rules, tools, agents, memory."""

_PART_BYTES = 64 * 1024
_OPEN = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


def read_regular_file(path: Path | str, limit: int = TEXT_BYTES) -> bytes:
    """All bytes of a regular file, or of a regular file that `path` links to.

    Raises FileNotFoundError, IsADirectoryError, or another OSError whose `strerror` is for people:
    the file is a pipe or a device, has more than `limit` bytes, or can't be read.
    """
    try:
        descriptor = os.open(path, _OPEN)
    except FileNotFoundError as error:
        if (link := Path(path)).is_symlink():
            error.strerror = f"it {_to_nothing(link)}"
        raise
    try:
        size = _status(descriptor, path).st_size
        data = _read(descriptor, min(size, limit) + 1, limit + 1)
    finally:
        os.close(descriptor)
    if len(data) > limit:
        raise too_large(Path(path).name, limit)
    return data


def _read(descriptor: int, expected: int, most: int) -> bytes:
    """Up to `most` bytes.

    A file may hold more than its size says, but a buffer of `most` bytes for each small file took
    longer than reading it.
    """
    parts: list[bytes] = []
    left, wanted = most, expected
    while left > 0 and (part := os.read(descriptor, min(wanted, left))):
        parts.append(part)
        if len(part) == expected - 1 and len(parts) == 1:
            break  # as long as its status says, and asking for one byte more gave none
        left -= len(part)
        wanted = _PART_BYTES
    return b"".join(parts)


def open_regular_file(path: Path) -> BinaryIO:
    """A regular file, or one that `path` links to, open to be read; its reader holds the limit.

    Raises OSError.
    """
    return regular(os.open(path, _OPEN), path.name)


def read_text_file(path: Path, limit: int = TEXT_BYTES) -> str:
    """The text of a regular file without a byte order mark.

    Raises UnicodeDecodeError, else as `read_regular_file`.
    """
    return plain_lines(read_regular_file(path, limit).decode())


def plain_lines(text: str) -> str:
    """The text with only line feeds as line ends, and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def undecoded_line(error: UnicodeDecodeError) -> int:
    """The line, counted from 1, of the first byte that is no UTF-8."""
    return error.object.count(b"\n", 0, error.start) + 1


def not_utf8(path: Path, error: UnicodeDecodeError) -> str:
    """What is wrong with a file, for whoever wrote it."""
    return f"{path}, line {undecoded_line(error)}: is not UTF-8 text; save it as UTF-8"


def leads_nowhere(link: Path) -> str:
    """What is wrong with a link to nothing, for whoever made it."""
    return f"{_to_nothing(link)}; put it back, or remove the link"


def _to_nothing(link: Path) -> str:
    return f"links to {link.readlink()}, which is not there"


def regular(descriptor: int, name: str) -> BinaryIO:
    """A freshly opened descriptor as a file to read.

    Raises OSError, and closes it, unless it is a regular file.
    """
    try:
        _status(descriptor, name)
        return os.fdopen(descriptor, "rb")
    except OSError:
        os.close(descriptor)
        raise


def _status(descriptor: int, path: Path | str) -> os.stat_result:
    return regular_status(os.fstat(descriptor), path)


def regular_status(status: os.stat_result, path: Path | str) -> os.stat_result:
    """The status of a regular file. Raises OSError for that of anything else."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", Path(path).name)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", Path(path).name)
    return status


def too_large(name: str, limit: int) -> OSError:
    """The error of a file that has more than `limit` bytes."""
    return OSError(errno.EFBIG, f"it is larger than {limit // 1024:,} KB", name)
