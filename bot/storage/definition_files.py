"""Files that people write and the program reads again when they change (docs/rules.md#live-files).

Of files that define things (agents, skills, manifests) a broken one keeps the texts of its last
good version, for those whom both versions name.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from bot.domain.access import CLOSED, Access
from bot.errors import DefinitionError
from bot.regular_file import read_text_file

T = TypeVar("T")
Stamp: TypeAlias = tuple[int, int, int]

UNREAD: Stamp = (0, 0, 0)
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


@dataclass(frozen=True)
class DefinitionFile(Generic[T]):
    """A file as last read: its last valid content, and what is wrong with it now."""

    path: Path
    stamp: Stamp
    good: T | None
    problem: str | None = None
    access: Access = Access()
    """Of a broken file: for whom it still is, CLOSED where that can't be read."""


class DefinitionFiles(Generic[T]):
    """The files of several roots that match a pattern.

    `parse(path, text)` raises DefinitionError with file, line and remedy, and so does `access_of`
    for a text that doesn't say whom it is for. Nothing is read before `reload`.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        pattern: str,
        parse: Callable[[Path, str], T],
        access_of: Callable[[Path, str], Access],
    ) -> None:
        self._roots = tuple(dict.fromkeys(roots))
        self._pattern = pattern
        self._parse = parse
        self._access_of = access_of
        self._seen: dict[Path, DefinitionFile[T]] = {}
        self.problems: list[str] = []
        """What is wrong with the roots themselves."""

    async def reload(self) -> list[list[DefinitionFile[T]]]:
        """Read new and changed files; returns all files, a list for each root, sorted by path."""
        found = await asyncio.to_thread(self._scan)
        self._seen = {file.path: file for files in found for file in files}
        return found

    def _scan(self) -> list[list[DefinitionFile[T]]]:
        """Blocking; runs in a thread."""
        self.problems = []
        return [[self._read(root, path) for path in self._found(root)] for root in self._roots]

    def _found(self, root: Path) -> Sequence[Path]:
        try:
            return self.find(root)
        except FileNotFoundError:
            return ()
        except OSError as error:
            self.problems.append(
                f"{root}: cannot be read ({error.strerror}); make it a readable folder"
            )
            return ()

    def find(self, root: Path) -> Sequence[Path]:
        """The files of a root, sorted. Raises OSError."""
        return [path for path in sorted(root.glob(self._pattern)) if not path.is_dir()]

    def stamp(self, path: Path) -> Stamp:
        """The version of a file. Raises OSError."""
        return stamp_of(path)

    def text(self, root: Path, path: Path) -> str:
        """The text of a file. Raises OSError, UnicodeDecodeError or DefinitionError."""
        return read_text_file(path)

    def unreadable(self, path: Path, good: T | None, error: OSError) -> DefinitionFile[T]:
        """What stands for a file that can't be read."""
        problem = f"{path}: cannot be read ({error.strerror}); make it a readable text file"
        return DefinitionFile(path, UNREAD, good, problem, CLOSED)

    def _read(self, root: Path, path: Path) -> DefinitionFile[T]:
        before = self._seen.get(path)
        good = before.good if before else None
        stamp, text = UNREAD, ""
        try:
            stamp = self.stamp(path)
            if before is not None and before.stamp == stamp:
                return before
            text = self.text(root, path)
            return DefinitionFile(path, stamp, self._parse(path, text))
        except OSError as error:
            return self.unreadable(path, good, error)
        except UnicodeDecodeError:
            return DefinitionFile(
                path, stamp, good, f"{path}: is not UTF-8 text; save it as UTF-8", CLOSED
            )
        except DefinitionError as error:
            return DefinitionFile(path, stamp, good, str(error), self._still_for(path, text))

    def _still_for(self, path: Path, text: str) -> Access:
        try:
            return self._access_of(path, text)
        except DefinitionError:
            return CLOSED
