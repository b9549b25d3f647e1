"""Forgets words in files of the home: memory, logs, projects and stored attachments.

Everything here blocks. Links are never followed.
"""

import os
import tarfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bot.storage.confined import open_folder, replace_bytes
from bot.storage.file_locks import LOCK, lock_of, locked
from bot.storage.forgetting.sought import Sought
from bot.storage.log_files import log_files

_LARGEST = 64 * 2**20
"""Files above this size are searched, but no lines are cut from them: they go whole."""


@dataclass
class SweptFiles:
    """How many were changed or removed, by kind; and what still holds the words."""

    counts: Counter[str] = field(default_factory=Counter[str])
    remains: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class ForgettingFiles:
    """The files of one person, and the logs, in which the words are crossed out.

    `memory`: folders of their tiers, archives and backups. `projects`: the folder of their
    projects. `unswept`: folders that hold the words as long as nobody deletes them.
    """

    home: Path
    memory: tuple[Path, ...]
    projects: Path
    unswept: Sequence[Path]
    sought: Sought

    def sweep(self, blobs: Collection[str], needed: Collection[str], *, remove: bool) -> SweptFiles:
        """Count, or with `remove` forget. `blobs` came with forgotten requests. Raises OSError.

        The logs hold words of everybody: no count tells whether these are among them.
        """
        swept = SweptFiles()
        for folder in self.memory:
            for path in _files_below(folder):
                self._tier(path, swept, remove=remove)
        if remove:
            for path in log_files(self.home / "data"):
                self._cross_out(path)
        for path in _files_below(self.projects):
            self._in_project(path, swept, remove=remove)
        self._blobs(frozenset(blobs), frozenset(needed), swept, remove=remove)
        for folder in self.unswept:
            if any(self._held_by(path) for path in _files_below(folder)):
                swept.remains.append(f"the folder {folder.relative_to(self.home)}")
        return swept

    def _tier(self, path: Path, swept: SweptFiles, *, remove: bool) -> None:
        """Rewrite a file of memory under the lock that our other editors of it take."""
        before = _read(path)
        if before is None or self.sought.without_lines(_text(before)) == _text(before):
            return
        swept.counts["memory files"] += 1
        if remove:
            lock = lock_of(self.home, self.home / "memory")
            with open_folder(path.parent, ()) as folder, locked(lock):
                rest = self.sought.without_lines(_text(_read(path) or b""))
                replace_bytes(folder, path.name, rest.encode("utf-8", "surrogateescape"))

    def _cross_out(self, path: Path) -> None:
        """In place: the process that writes this log has it open."""
        data = _read(path)
        if data is None or not self.sought.names(_text(data)):
            return
        at = 0
        with path.open("r+b") as file:
            for line in data.splitlines(keepends=True):
                crossed = self.sought.overwritten(_text(line)).encode("utf-8", "surrogateescape")
                if crossed != line and len(crossed) == len(line):
                    file.seek(at)
                    file.write(crossed)
                at += len(line)
            file.flush()
            os.fsync(file.fileno())

    def _in_project(self, path: Path, swept: SweptFiles, *, remove: bool) -> None:
        """A text loses its lines; a snapshot and what is no text go whole."""
        if not self._held_by(path):
            return
        data = _read(path)
        whole = (
            data is None
            or b"\0" in data
            or len(data) > _LARGEST
            or self.sought.touches(path.name)
            or path.name.endswith(".tar.gz")
        )
        kind = "snapshots of projects" if path.name.endswith(".tar.gz") else "files of projects"
        swept.counts[kind] += 1
        if remove and whole:
            path.unlink()
        elif remove:
            rest = self.sought.cut(_text(data or b"")).encode("utf-8", "surrogateescape")
            with open_folder(path.parent, ()) as folder:
                replace_bytes(folder, path.name, rest)

    def _blobs(
        self, came: frozenset[str], needed: frozenset[str], swept: SweptFiles, *, remove: bool
    ) -> None:
        """Stored files that nothing needs any more, and that came with the words or hold them.

        All that came with them are counted, and no others: whether somebody else sent or needs the
        same file is not told.
        """
        for path in _files_below(self.home / "data" / "blobs"):
            if path.name in came:
                swept.counts["attached files"] += 1
            gone = path.name not in needed and (path.name in came or self._held_by(path))
            if remove and gone:
                path.unlink(missing_ok=True)

    def _held_by(self, path: Path) -> bool:
        """Whether a file's name or content holds the words, also inside a packed one."""
        if self.sought.names(path.name):
            return True
        if path.name.endswith(".tar.gz"):
            with suppress(tarfile.TarError, OSError, EOFError), tarfile.open(path) as archive:
                for member in archive:
                    content = archive.extractfile(member) if member.isreg() else None
                    inside = content.read(_LARGEST) if content else b""
                    if self.sought.names(f"{member.name}\n{_text(inside)}"):
                        return True
            return False
        data = _read(path)
        return data is not None and self.sought.names(_text(data))


def _files_below(folder: Path) -> Iterator[Path]:
    """Plain files, however deep; empty without the folder."""
    if folder.is_symlink() or not folder.is_dir():
        return
    for root, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if not Path(root, one).is_symlink()]
        for name in sorted(names):
            path = Path(root, name)
            if name != LOCK and not path.is_symlink() and path.is_file():
                yield path


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _text(data: bytes) -> str:
    """Bytes as text, byte for byte back again; UTF-16 by its mark."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "surrogateescape")
