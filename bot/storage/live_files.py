"""Files that people write and the program reads again when they change.

See docs/rules.md#live-files.
"""

import os
from abc import abstractmethod
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from bot.errors import DefinitionError
from bot.regular_file import read_text_file

F = TypeVar("F")
Stamp: TypeAlias = tuple[int, ...]

Unread: TypeAlias = OSError | UnicodeDecodeError | DefinitionError
"""Why a file has no text."""
UNREAD: Stamp = ()
"""The stamp of a file that could not be read: it is tried again each time."""


def stamp_of(path: Path, *, follow: bool = True) -> Stamp:
    """What tells one version of a file from another; `follow`: of what a link names.

    Raises OSError.
    """
    return _stamp(path.stat() if follow else path.lstat())


def _stamp_now(path: Path) -> Stamp | None:
    """The version of a file, None when it is not there.

    Over NFS a file has to be opened to see what another machine wrote a moment ago.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        try:
            return stamp_of(path)  # it may not be read: whoever reads it says why
        except OSError:
            return None
    try:
        return _stamp(os.fstat(descriptor))
    finally:
        os.close(descriptor)


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_mtime_ns, status.st_size, status.st_ino


class LiveFile:
    """One file, and whether it changed since it was last looked at.

    That it is missing is a version, too.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: Stamp | None = None

    @property
    def exists(self) -> bool:
        """Whether it was there when it was last looked at."""
        return self._stamp is not None

    def changed(self) -> bool:
        """Look at it; blocking."""
        stamp = _stamp_now(self.path)
        before, self._stamp = self._stamp, stamp
        return stamp != before


class LiveFiles(Protocol[F]):
    """The files of several roots, each read again when its stamp changes.

    A subclass says which files there are and what one is as last read. Nothing is read before the
    first scan.
    """

    _roots: tuple[Path, ...]
    _seen: dict[Path, F]

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = tuple(dict.fromkeys(roots))
        self._seen = {}

    def scan(self) -> list[list[F]]:
        """Read new and changed files; returns all files, a list for each root; blocking."""
        found = [
            [(path, self._read(root, path)) for path in self.find(root)] for root in self._roots
        ]
        self._seen = dict(chain.from_iterable(found))
        return [[file for _, file in files] for files in found]

    @abstractmethod
    def find(self, root: Path) -> Sequence[Path]:
        """The files of a root."""

    @abstractmethod
    def parsed(self, path: Path, stamp: Stamp, text: str, before: F | None) -> F:
        """A file from its text; `before` is what was last read of it."""

    @abstractmethod
    def failed(self, path: Path, stamp: Stamp, error: Unread, before: F | None) -> F:
        """What stands for a file without a text. `stamp` is UNREAD if not even that was found."""

    @abstractmethod
    def is_current(self, file: F, stamp: Stamp) -> bool:
        """Whether this version of a file was read."""

    def stamp(self, path: Path) -> Stamp:
        """The version of a file. Raises OSError."""
        return stamp_of(path)

    def text(self, root: Path, path: Path) -> str:
        """The text of a file. Raises OSError, UnicodeDecodeError or DefinitionError."""
        return read_text_file(path)

    def _read(self, root: Path, path: Path) -> F:
        before, stamp = self._seen.get(path), UNREAD
        try:
            stamp = self.stamp(path)
            if before is not None and self.is_current(before, stamp):
                return before
            return self.parsed(path, stamp, self.text(root, path), before)
        except (OSError, UnicodeDecodeError, DefinitionError) as error:
            return self.failed(path, stamp, error, before)
