"""Projects on disk: `data/workspaces/<person>/<project>/`, limited in size, with no way out.

Everything here blocks.
"""

import asyncio
import itertools
import os
import shutil
import stat
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from bot.errors import StorageError, ToolError, raised_as
from bot.storage.confined import open_folder, parts_of, read_bytes, replace_bytes

FILE_BYTES = 1024 * 1024
PROJECT_BYTES = 200 * 1024 * 1024
PROJECT_FILES = 20_000
FULL = (
    f"the project is full: at most {PROJECT_FILES:,} files and {PROJECT_BYTES // 1024 // 1024} MB"
)
PROJECTS = "/projects"
"""Where people and agents read them as files."""
SNAPSHOTS = ".snapshots"
"""The folder beside a person's projects that holds their snapshots."""
MARKS = ".places"
"""The folder beside a person's projects that records where each was made."""
_PERSON_CHARS = 120


@dataclass(frozen=True)
class FolderEntry:
    """One file or folder of a project; `path` relative to it."""

    path: str
    folder: bool
    size: int = 0


class ProjectFolder:
    """One project of one person. Links are never followed: a command line could have made them."""

    def __init__(self, root: Path, person: str, project: str) -> None:
        self._root = root
        self._own = (person_folder(person), project)
        self.path = root.joinpath(*self._own)

    def make(self) -> Path:
        """The folder, created if missing."""
        try:
            with open_folder(self._root, self._own, create=True):
                return self.path
        except OSError as error:
            raise _not_there(self.path.name, error) from error

    def require_room(self, more: int = 0) -> None:
        """Raises ToolError when the project is as large as a project may be."""
        if self.is_full(more):
            raise ToolError(
                f"{FULL}; remove what is not needed (pm_shell: rm), or use another project"
            )

    def is_full(self, more: int = 0) -> bool:
        """Whether so many more bytes would not fit."""
        files = size = 0
        for entry in self.walk():
            files, size = files + 1, size + entry.size
            if files > PROJECT_FILES or size + more > PROJECT_BYTES:
                return True
        return False

    def write(self, path: str, data: bytes) -> bool:
        """Write a file and create its folders; True when it was new. Raises ToolError."""
        parts = _parts(path)
        if len(data) > FILE_BYTES:
            raise ToolError(
                f"{path} would have {len(data):,} bytes and a file holds at most "
                f"{FILE_BYTES:,}; divide it"
            )
        self.require_room(len(data))
        try:
            with open_folder(self._root, (*self._own, *parts[:-1]), create=True) as folder:
                new = not _exists(folder, parts[-1])
                replace_bytes(folder, parts[-1], data)
                return new
        except OSError as error:
            raise _not_there(path, error) from error

    def read(self, path: str) -> bytes:
        """A file's content, at most FILE_BYTES + 1 bytes. Raises ToolError."""
        parts = _parts(path)
        try:
            with open_folder(self._root, (*self._own, *parts[:-1])) as folder:
                return read_bytes(folder, parts[-1], FILE_BYTES + 1)
        except OSError as error:
            raise _not_there(path, error) from error

    def list(self, path: str) -> list[FolderEntry]:
        """The entries of one folder of the project (empty: its top), by name. Raises ToolError."""
        parts = _parts(path) if path else ()
        try:
            with (
                open_folder(self._root, (*self._own, *parts)) as folder,
                os.scandir(folder) as found,
            ):
                entries = [_entry("", one) for one in found]
        except OSError as error:
            raise _not_there(path or self.path.name, error) from error
        return sorted(entries, key=lambda entry: entry.path)

    def walk(self, path: str = "") -> Iterator[FolderEntry]:
        """Every file below a folder, without links, down to the depth limit of projects."""
        waiting = [_parts(path) if path else ()]
        while waiting:
            parts = waiting.pop()
            try:
                with (
                    open_folder(self._root, (*self._own, *parts)) as folder,
                    os.scandir(folder) as found,
                ):
                    entries = [
                        _entry("/".join(parts), one) for one in found if not one.is_symlink()
                    ]
            except OSError:
                continue  # a command line may remove it meanwhile
            for entry in sorted(entries, key=lambda one: one.path):
                if not entry.folder:
                    yield entry
                elif len(parts) < 32:
                    waiting.append((*parts, entry.path.rpartition("/")[2]))


def path_of(project: str, inside: str) -> str:
    """The path by which a file of a project is read and handed over."""
    return f"{PROJECTS}/{project}/{inside.removeprefix('./').removeprefix('/work/')}"


def require_path(path: str) -> None:
    """Raises ToolError for a path that can't belong to a project."""
    _parts(path)


def projects_of(root: Path, person: str) -> list[str]:
    """The names of a person's projects."""
    try:
        with open_folder(root, (person_folder(person),)) as folder, os.scandir(folder) as found:
            return sorted(
                one.name
                for one in found
                if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")
            )
    except OSError:
        return []


def projects_holding(root: Path, persons: Collection[str]) -> set[str]:
    """Those of these people who have a projects folder."""
    try:
        kept = {one.name for one in root.iterdir()}
    except FileNotFoundError:
        return set()
    return {person for person in persons if person_folder(person) in kept} if kept else set()


def move_projects(root: Path, earlier: str, person: str) -> None:
    """Give the projects of one person id to another; one whose name is taken gets a number.

    May be repeated.
    """
    source, target = root / person_folder(earlier), root / person_folder(person)
    for name in projects_of(root, earlier):
        target.mkdir(parents=True, exist_ok=True)
        numbered = (name if number == 1 else f"{name}-{number}" for number in itertools.count(1))
        free = next(one for one in numbered if not os.path.lexists(target / one))
        mark = source / MARKS / f"{name}.json"
        if mark.is_file():  # first, so that a project is never visible without its mark
            (target / MARKS).mkdir(exist_ok=True)
            mark.rename(target / MARKS / f"{free}.json")
        snapshots = source / SNAPSHOTS / name
        if snapshots.is_dir():
            (target / SNAPSHOTS).mkdir(exist_ok=True)
            shutil.rmtree(target / SNAPSHOTS / free, ignore_errors=True)
            snapshots.rename(target / SNAPSHOTS / free)
        (source / name).rename(target / free)
    for emptied in (source / MARKS, source / SNAPSHOTS, source):
        with suppress(OSError):  # it is missing, or contains other files
            emptied.rmdir()


class ProjectKeeper:
    """Moves the projects of people below `root` when contacts.yaml gives them another id."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def holding(self, persons: Collection[str]) -> Collection[str]:
        """Those of these people who have a projects folder."""
        return await asyncio.to_thread(projects_holding, self._root, persons)

    async def move(self, earlier: str, person: str) -> None:
        """Give the projects of one person id to another; may be repeated."""
        await asyncio.to_thread(move_projects, self._root, earlier, person)


def person_folder(person: str) -> str:
    """A name for a person's folder that no other id has and that leads nowhere else."""
    name = quote(person, safe="").replace(".", "%2E")
    return (
        name if len(name) <= _PERSON_CHARS else f"{name[:40]}%{sha256(person.encode()).hexdigest()}"
    )


def _parts(path: str) -> tuple[str, ...]:
    with raised_as(ToolError, StorageError):
        return parts_of(path.removeprefix("./").removeprefix("/work/"))


def _exists(folder: int, name: str) -> bool:
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(found.st_mode):
        raise OSError(f"{name} is a folder or a link")
    return True


def _entry(above: str, found: "os.DirEntry[str]") -> FolderEntry:
    path = f"{above}/{found.name}" if above else found.name
    folder = found.is_dir(follow_symlinks=False)
    return FolderEntry(path, folder, 0 if folder else found.stat(follow_symlinks=False).st_size)


def _not_there(path: str, error: OSError) -> ToolError:
    if isinstance(error, FileNotFoundError):
        return ToolError(f"there is no {path} in this project; pm_list_files shows what there is")
    return ToolError(f"{path} can't be used: {error.strerror or error}")
