"""Files that define things (agents, manifests): read when they change.

A broken one keeps the texts of its last good version, for those whom both versions name.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from bot.domain.access import CLOSED, Access
from bot.errors import DefinitionError
from bot.regular_file import read_text_file

T = TypeVar("T")
Stamp: TypeAlias = tuple[int, int, int]

_UNREAD: Stamp = (0, 0, 0)
"""The stamp of a file that could not be read: it is tried again each time."""


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

    async def reload(self) -> list[list[DefinitionFile[T]]]:
        """Read new and changed files; returns all files, a list for each root, sorted by path."""
        found = await asyncio.to_thread(self._scan)
        self._seen = {file.path: file for files in found for file in files}
        return found

    def _scan(self) -> list[list[DefinitionFile[T]]]:
        return [
            [self._read(path) for path in sorted(root.glob(self._pattern)) if not path.is_dir()]
            for root in self._roots
        ]

    def _read(self, path: Path) -> DefinitionFile[T]:
        before = self._seen.get(path)
        good = before.good if before else None
        stamp, text = _UNREAD, ""
        try:
            stamp = _stamp(path)
            if before is not None and before.stamp == stamp:
                return before
            text = read_text_file(path)
            return DefinitionFile(path, stamp, self._parse(path, text))
        except OSError as error:
            problem = f"{path}: cannot be read ({error.strerror}); make it a readable text file"
            return DefinitionFile(path, _UNREAD, good, problem, CLOSED)
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


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino
