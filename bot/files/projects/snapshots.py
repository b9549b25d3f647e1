"""Snapshots of a project, in `<person>/.snapshots/<project>/<name>.tar.gz`.

They lie beside the projects, out of a command's reach. Taking and restoring may be repeated after a
crash. Everything here blocks.
"""

import io
import os
import re
import shutil
import stat
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bot.errors import ToolError
from bot.files.projects.folders import PROJECT_BYTES, PROJECT_FILES, SNAPSHOTS, person_folder
from bot.regular_file import regular
from bot.storage.confined import open_folder, temporary_name

MOST_KEPT = 8
"""Snapshots of one project; the oldest one goes."""
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_END = ".tar.gz"
_DEEPEST = 64


@dataclass(frozen=True)
class Snapshot:
    """A snapshot's description; `size` in bytes before packing."""

    name: str
    files: int
    size: int


class Snapshots:
    """Those of one project of one person. Links are kept as links and never followed."""

    def __init__(self, root: Path, person: str, project: str) -> None:
        self._root = root
        self._own = (person_folder(person), project)
        self._project = root.joinpath(*self._own)
        self._folder = root / person_folder(person) / SNAPSHOTS / project

    def names(self) -> list[str]:
        """The oldest first."""
        found = sorted(
            self._folder.glob(f"*{_END}"), key=lambda path: (path.stat().st_mtime_ns, path.name)
        )
        return [path.name.removesuffix(_END) for path in found]

    def take(self, name: str) -> Snapshot:
        """Save the current project, replacing an earlier snapshot of that name.

        Raises ToolError.
        """
        if not NAME.fullmatch(name):
            raise ToolError(
                f"{name[:60]!r} can't be the name of a snapshot; use up to 40 of a-z, 0-9, - and _"
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self._folder / temporary_name(name)
        try:
            with tarfile.open(temporary, "w:gz", compresslevel=1) as archive:
                files, size = self._add_all(archive)
            with temporary.open("rb") as written:
                os.fsync(written.fileno())
            temporary.replace(self._path(name))
        except OSError as error:
            raise ToolError(
                f"the snapshot {name} could not be taken: {error.strerror or error}"
            ) from error
        finally:
            temporary.unlink(missing_ok=True)
        for old in [one for one in self.names() if one != name][: -MOST_KEPT + 1 or None]:
            self._path(old).unlink(missing_ok=True)
        return Snapshot(name, files, size)

    def restore(self, name: str) -> None:
        """Restore the project; later changes are lost.

        Raises ToolError naming the existing snapshots.
        """
        if not NAME.fullmatch(name) or not self._path(name).exists():
            raise ToolError(
                f"there is no snapshot {name[:60]!r}; there are {', '.join(self.names()) or 'none'}"
            )
        fresh, old = self._folder / ".restoring", self._folder / ".replaced"
        try:
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir()
            with tarfile.open(self._path(name), "r:gz") as archive:
                archive.extractall(fresh, filter="tar")
            with suppress(FileNotFoundError):
                self._project.rename(_free(old))
            fresh.rename(self._project)
        except (OSError, tarfile.TarError) as error:
            raise ToolError(f"the snapshot {name} could not be restored: {error}") from error
        finally:
            shutil.rmtree(old, ignore_errors=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{_END}"

    def _add_all(self, archive: tarfile.TarFile) -> tuple[int, int]:
        files = size = 0
        for parts, found in self._walk():
            files, size = files + 1, size + found.st_size
            if files > PROJECT_FILES or size > PROJECT_BYTES:
                raise ToolError(
                    "the project is too large for a snapshot; remove what is not needed"
                )
            self._add(archive, parts, found)
        return files, size

    def _walk(self) -> Iterator[tuple[tuple[str, ...], os.stat_result]]:
        """Folders come before their content; a command line may change it meanwhile."""
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            above = waiting.pop()
            try:
                with (
                    open_folder(self._root, (*self._own, *above)) as folder,
                    os.scandir(folder) as entries,
                ):
                    found = [(entry.name, entry.stat(follow_symlinks=False)) for entry in entries]
            except OSError:
                continue
            for entry, what in sorted(found, key=lambda one: one[0]):
                yield (*above, entry), what
                if stat.S_ISDIR(what.st_mode) and len(above) < _DEEPEST:
                    waiting.append((*above, entry))

    def _add(self, archive: tarfile.TarFile, parts: tuple[str, ...], found: os.stat_result) -> None:
        info = tarfile.TarInfo("/".join(parts))
        info.mode, info.mtime = stat.S_IMODE(found.st_mode), int(found.st_mtime)
        with suppress(OSError), open_folder(self._root, (*self._own, *parts[:-1])) as folder:
            if stat.S_ISDIR(found.st_mode):
                info.type = tarfile.DIRTYPE
                archive.addfile(info)
            elif stat.S_ISLNK(found.st_mode):
                info.type, info.linkname = tarfile.SYMTYPE, os.readlink(parts[-1], dir_fd=folder)
                archive.addfile(info)
            elif stat.S_ISREG(found.st_mode):
                flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
                with regular(os.open(parts[-1], flags, dir_fd=folder), parts[-1]) as file:
                    data = file.read(
                        PROJECT_BYTES
                    )  # read whole, so that a file that shrinks meanwhile breaks no archive
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))


def _free(path: Path) -> Path:
    """The path, after removing anything there."""
    shutil.rmtree(path, ignore_errors=True)
    return path
