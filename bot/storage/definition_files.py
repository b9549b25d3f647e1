"""Files that define things (agents, manifests): read when they change; a broken one keeps its last good version."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from bot.errors import DefinitionError
from bot.regular_file import read_text_file

T = TypeVar("T")
Stamp: TypeAlias = tuple[int, int, int]

_UNREAD: Stamp = (0, 0, 0)
"""The stamp of a file that could not be read: it is tried again each time."""


@dataclass(frozen=True)
class DefinitionFile(Generic[T]):
    """A file as it was when it was last read: what it said (the last valid version), and what is wrong with it now."""

    path: Path
    stamp: Stamp
    good: T | None
    problem: str | None = None


class DefinitionFiles(Generic[T]):
    """The files of several roots that match a pattern.

    `parse(path, text)` raises DefinitionError with file, line and remedy. Nothing is read before `reload`.
    """

    def __init__(self, roots: Sequence[Path], pattern: str, parse: Callable[[Path, str], T]) -> None:
        self._roots = tuple(dict.fromkeys(roots))
        self._pattern = pattern
        self._parse = parse
        self._seen: dict[Path, DefinitionFile[T]] = {}

    async def reload(self) -> list[list[DefinitionFile[T]]]:
        """Read what is new or changed; gives every file, a list for each root in their order, sorted by path."""
        found = await asyncio.to_thread(self._scan)
        self._seen = {file.path: file for files in found for file in files}
        return found

    def _scan(self) -> list[list[DefinitionFile[T]]]:
        return [
            [self._read(path) for path in sorted(root.glob(self._pattern)) if not path.is_dir()] for root in self._roots
        ]

    def _read(self, path: Path) -> DefinitionFile[T]:
        before = self._seen.get(path)
        good = before.good if before else None
        stamp = _UNREAD
        try:
            stamp = _stamp(path)
            if before is not None and before.stamp == stamp:
                return before
            return DefinitionFile(path, stamp, self._parse(path, read_text_file(path)))
        except OSError as error:
            problem = f"{path}: cannot be read ({error.strerror}); make it a readable text file"
            return DefinitionFile(path, _UNREAD, good, problem)
        except UnicodeDecodeError:
            return DefinitionFile(path, stamp, good, f"{path}: is not UTF-8 text; save it as UTF-8")
        except DefinitionError as error:
            return DefinitionFile(path, stamp, good, str(error))


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino
