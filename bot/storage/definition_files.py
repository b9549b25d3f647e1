"""Files that define things, such as agents, skills and manifests, read again when they change.

A broken one keeps the texts of its last good version, for those whom both versions name.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from bot.domain.access import CLOSED, Access
from bot.errors import DefinitionError
from bot.regular_file import not_utf8
from bot.storage.live_files import UNREAD, LiveFiles, Stamp, Unread

T = TypeVar("T")


@dataclass(frozen=True)
class DefinitionFile(Generic[T]):
    """A file as last read: its last valid content, and its current problem."""

    path: Path
    stamp: Stamp
    good: T | None
    problem: str | None = None
    access: Access = Access()
    """The access to a broken file; CLOSED if it can't be read."""


class DefinitionFiles(LiveFiles[DefinitionFile[T]]):
    """The files of several roots that match a pattern.

    `parse(path, text)` raises DefinitionError with file, line and remedy, and so does `access_of`
    for a text that doesn't say whom it is for.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        pattern: str,
        parse: Callable[[Path, str], T],
        access_of: Callable[[Path, str], Access],
    ) -> None:
        super().__init__(roots)
        self._pattern = pattern
        self._parse = parse
        self._access_of = access_of
        self.problems: list[str] = []
        """Problems of the roots themselves."""

    async def reload(self) -> list[list[DefinitionFile[T]]]:
        """Read new and changed files; returns all files, a list for each root, sorted by path."""
        self.problems = []
        return await asyncio.to_thread(self.scan)

    def find(self, root: Path) -> Sequence[Path]:
        try:
            return self.listed(root)
        except FileNotFoundError:
            return ()
        except OSError as error:
            self.problems.append(
                f"{root}: cannot be read ({error.strerror}); make it a readable folder"
            )
            return ()

    def listed(self, root: Path) -> Sequence[Path]:
        """The files of a root, sorted. Raises OSError."""
        return [path for path in sorted(root.glob(self._pattern)) if not path.is_dir()]

    def unreadable(self, path: Path, good: T | None, error: OSError) -> DefinitionFile[T]:
        """The entry of a file that can't be read."""
        problem = f"{path}: cannot be read ({error.strerror}); make it a readable text file"
        return DefinitionFile(path, UNREAD, good, problem, CLOSED)

    def is_current(self, file: DefinitionFile[T], stamp: Stamp) -> bool:
        return file.stamp == stamp

    def parsed(
        self, path: Path, stamp: Stamp, text: str, before: DefinitionFile[T] | None
    ) -> DefinitionFile[T]:
        try:
            return DefinitionFile(path, stamp, self._parse(path, text))
        except DefinitionError as error:
            good = before.good if before else None
            return DefinitionFile(path, stamp, good, str(error), self._still_for(path, text))

    def failed(
        self,
        path: Path,
        stamp: Stamp,
        error: Unread,
        before: DefinitionFile[T] | None,
    ) -> DefinitionFile[T]:
        good = before.good if before else None
        if isinstance(error, OSError):
            return self.unreadable(path, good, error)
        if isinstance(error, DefinitionError):
            return DefinitionFile(path, stamp, good, str(error), self._still_for(path, ""))
        return DefinitionFile(path, stamp, good, not_utf8(path, error), CLOSED)

    def _still_for(self, path: Path, text: str) -> Access:
        try:
            return self._access_of(path, text)
        except DefinitionError:
            return CLOSED
