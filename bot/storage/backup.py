"""A home's backup in one file: made while Bellhop runs, and checked whole before it is used.

The file is a gzipped tar. `backup.json` describes it, `database.db` is a consistent copy of the
database, and `home/` has the other files. The last one, `files.json`, lists the SHA-256 of each.
"""

import fcntl
import hashlib
import os
import re
import shutil
import sqlite3
import stat
import tarfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, RootModel, ValidationError

from bot.errors import StorageError
from bot.regular_file import open_regular_file
from bot.storage.damage import RESTORE, find_damage, is_of_disk, look_for_damage, unusable
from bot.storage.home import is_made
from bot.storage.migrate import CARRIED_FROM, CARRY_FIRST, shipped_migrations

FORMAT = 1
DATABASE = "database.db"
HOME = "home"
_HEAD, _LIST = "backup.json", "files.json"
_HALF, _COPY = "backup", "copy.db"
_BEGUN = {_HALF, *(f"{_COPY}{end}" for end in ("", "-journal", "-wal", "-shm"))}
_LIST_BYTES = 64 * 2**20
_CHUNK = 2**20
_NO_LINKS = re.compile("(data|memory|skills/[^/]+)/")
"""Below these Bellhop follows no link either. In projects people's commands can make one."""
_ROOTS = ("prompts", "skills", "memory")
"""Folders that Bellhop reads where an operator's link leads."""


DatabaseCopy: TypeAlias = Callable[[Path], tuple[str, ...]]
"""Writes one state of a database into an empty file, as SQLite. Returns the tables of the cycle log
that are damaged."""


class BackupHead(BaseModel):
    """The description inside a backup."""

    model_config = ConfigDict(strict=True, frozen=True)

    kind: Literal["bellhop backup"] = "bellhop backup"
    format: int = FORMAT
    made_at: str
    version: str
    migration: int
    """The newest migration that its database has."""
    secrets: bool


class _Sums(RootModel[dict[str, str]]):
    """SHA-256 by name of a file in the archive."""


@dataclass
class BackedUp:
    """The contents of a new backup."""

    files: int = 0
    left_out: list[str] = field(default_factory=list[str])
    """Paths that are no regular files, links that aren't followed, and what vanished meanwhile."""
    unread: list[str] = field(default_factory=list[str])
    """Paths that could not be read, with the reason."""
    damaged_log: tuple[str, ...] = ()
    """Tables of the cycle log that are damaged; everything else is intact."""


def back_up(
    path: Path, home: Path, database: DatabaseCopy, parts: Sequence[str], head: BackupHead
) -> BackedUp:
    """Copy a database and the `parts` (files and folders, relative to the home) into a new file.

    Blocking.

    Raises StorageError when the file exists or can't be written, and when the database is damaged.
    """
    if path.exists():
        raise StorageError(f"{path} exists; name a file that doesn't, or move it away")
    work = path.with_name(f".{path.name}.unfinished")  # beside PATH may be a file of any name
    unfinished, copy = work / _HALF, work / _COPY
    try:
        shutil.rmtree(work, ignore_errors=True)
        _remove_left(path.parent)
        work.mkdir(mode=0o700)
        with os.fdopen(
            os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb"
        ) as file:
            with suppress(OSError):  # a disk without locks
                fcntl.flock(file, fcntl.LOCK_EX)
            made = _write(file, copy, home, database, parts, head)
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(path)
    except (OSError, sqlite3.Error) as error:
        reason = str(error)
        if isinstance(error, OSError):
            reason = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        raise StorageError(
            f"cannot write the backup {path}: {reason}; nothing was kept of it"
        ) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return made


def _remove_left(folder: Path) -> None:
    """Remove halves of backups that nobody makes any more: their processes were killed."""
    for work in folder.glob(".*.unfinished"):
        with suppress(OSError), open_regular_file(work / _HALF) as half:
            fcntl.flock(half, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if all(one.name in _BEGUN for one in work.iterdir()):
                shutil.rmtree(work)


def _write(
    file: BinaryIO,
    copy: Path,
    home: Path,
    database: DatabaseCopy,
    parts: Sequence[str],
    head: BackupHead,
) -> BackedUp:
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL, 0o600))
    made, sums = BackedUp(damaged_log=database(copy)), dict[str, str]()
    with tarfile.open(
        fileobj=file, mode="w:gz", compresslevel=1, format=tarfile.PAX_FORMAT
    ) as archive:
        _add_bytes(archive, _HEAD, head.model_dump_json(indent=1).encode())
        # The database comes first: attachments are stored before the rows that name them.
        add_file(archive, DATABASE, copy, sums)
        for part in parts:
            for name, source in _files(home, part, made):
                try:
                    if source.parent.name == copy.parent.name and source.parent.samefile(
                        copy.parent
                    ):
                        continue  # this backup itself, made in a folder that it holds
                    add_file(archive, f"{HOME}/{name}", source, sums)
                    made.files += 1
                except FileNotFoundError:
                    made.left_out.append(name)
                except OSError as error:
                    if error.filename != str(source):
                        raise
                    made.unread.append(f"{name}: {error.strerror}")
        _add_bytes(archive, _LIST, _Sums(sums).model_dump_json().encode())
    return made


def copy_of(database: Path) -> DatabaseCopy:
    """Return the function that copies a SQLite file.

    Raises StorageError when it isn't there.
    """
    try:
        there = is_made(database)
    except OSError as error:
        raise unusable("cannot read the database", database, error) from error
    if not there:
        raise StorageError(
            f"there is no database at {database}, so there is nothing to back up; is it the right "
            "--home?"
        )
    return partial(_copy_file, database)


def _copy_file(database: Path, copy: Path) -> tuple[str, ...]:
    try:
        with (
            closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy, isolation_level=None)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
            damage = find_damage(target)
    except sqlite3.Error as error:
        if is_of_disk(error):  # probably the disk of the copy
            raise
        raise unusable("cannot copy the database", database, error) from error
    if damage.beyond_log:
        raise StorageError(
            f"{database} is damaged ({damage.text}), so no backup was made; {RESTORE}"
        )
    return damage.log_tables


def left_out(home: Path) -> list[str]:
    """What no backup has of `prompts`, `skills` and `memory`: links, above all those to folders."""
    made = BackedUp()
    for part in _ROOTS:
        for _ in _files(home, part, made):
            pass
    return made.left_out


def _files(home: Path, part: str, made: BackedUp) -> Iterator[tuple[str, Path]]:
    """The regular files of a part, by their path in the home; other files are noted as left out.

    A link to a file, or in place of `prompts`, `skills` or `memory`, stands for what is there: a
    home without its rules is another one. Other links to folders could lead to anything.

    A person's command can close a folder of their project, which must not stop the backup.
    """
    top = home / part

    def closed(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            name = Path(error.filename).relative_to(home).as_posix()
            made.unread.append(f"{name}: {error.strerror}")

    if top.is_dir() and (part in _ROOTS or not top.is_symlink()):
        for folder, folders, names in os.walk(top, onerror=closed):
            folders.sort()
            linked = [
                name
                for name in folders
                if os.path.islink(Path(folder, name))  # noqa: PTH114 - never raises
            ]
            for name in sorted([*names, *linked]):
                yield from _regular(home, Path(folder) / name, made)
    elif os.path.lexists(top):
        yield from _regular(home, top, made)


def _regular(home: Path, path: Path, made: BackedUp) -> Iterator[tuple[str, Path]]:
    name = path.relative_to(home).as_posix()
    source = path if _NO_LINKS.match(name) else Path(os.path.realpath(path))
    try:
        regular = stat.S_ISREG(source.lstat().st_mode)
    except FileNotFoundError:
        regular = False
    except OSError as error:
        made.unread.append(f"{name}: {error.strerror}")
        return
    if regular:
        yield name, source
    else:
        made.left_out.append(name)


class _Summed:
    """A file that is hashed while tarfile reads it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.sum = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.sum.update(data)
        return data


def add_file(archive: tarfile.TarFile, name: str, source: Path, sums: dict[str, str]) -> None:
    """Copy a file into the archive under a name.

    Raises OSError, and StorageError when the file shrinks meanwhile.
    """
    with os.fdopen(os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        status = os.fstat(file.fileno())
        entry = _entry(name, status.st_size)
        entry.mode, entry.mtime = status.st_mode & 0o777, int(status.st_mtime)
        summed = _Summed(file)
        try:
            archive.addfile(entry, summed)  # pyright: ignore[reportArgumentType]  # it only reads
        except OSError as error:
            if error.errno is not None:
                raise
            # From tarfile: the file is shorter than its entry, which is already written.
            raise StorageError(
                f"{name} became shorter while it was copied, so the backup would be damaged; "
                "nothing was kept of it. Make it again, when nobody is writing there"
            ) from error
        sums[_listed(name)] = summed.sum.hexdigest()


def _listed(name: str) -> str:
    """A path as JSON can hold it: names of files may be bytes that are no UTF-8."""
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")


def _add_bytes(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    archive.addfile(_entry(name, len(data)), BytesIO(data))


def _entry(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    return entry


# --- reading ---


def unpack(path: Path, folder: Path) -> BackupHead:
    """Check a backup and lay its files into a folder. Blocking.

    Raises StorageError when it is no backup, is of a newer version, is damaged, or when there is no
    room for it.
    """
    try:
        with tarfile.open(path, "r:gz") as archive:
            head = _head(path, archive)
            sums, listed = _extract(archive, folder), archive.extractfile(_LIST)
            wanted = (
                _Sums.model_validate_json(listed.read(_LIST_BYTES)).root
                if listed is not None
                else {}
            )
    except FileNotFoundError as error:
        raise StorageError(f"there is no file {error.filename or path}") from error
    except tarfile.ReadError as error:
        raise StorageError(
            f"{path} is not a Bellhop backup, or only the beginning of one: {error}"
        ) from error
    except (tarfile.TarError, EOFError, zlib.error, KeyError, ValidationError) as error:
        raise StorageError(
            f"{path} is damaged ({_first_line(error)}); nothing was restored"
        ) from error
    except OSError as error:
        if error.errno is None:  # gzip's own: a checksum that does not fit
            raise StorageError(
                f"{path} is not a Bellhop backup, or it is damaged ({error})"
            ) from error
        raise StorageError(
            f"cannot unpack {path} into {folder}: {error.strerror}; nothing was restored"
        ) from error
    if sums != wanted:
        wrong = min({*sums.items()} ^ {*wanted.items()})[0]
        raise StorageError(
            f"{path} is damaged ({wrong} is not what was copied); nothing was restored"
        )
    _check_database(path, folder / DATABASE)
    return head


def _head(path: Path, archive: tarfile.TarFile) -> BackupHead:
    first = archive.next()
    file = archive.extractfile(first) if first is not None and first.name == _HEAD else None
    try:
        head = BackupHead.model_validate_json(file.read(_CHUNK) if file is not None else b"")
    except ValidationError as error:
        raise StorageError(f"{path} is not a Bellhop backup") from error
    newest = max(migration.number for migration in shipped_migrations())
    if head.format > FORMAT or head.migration > newest:
        raise StorageError(
            f"{path} was made by a newer Bellhop ({head.version}, migration {head.migration}; this "
            f"one knows {newest}); install that version and restore with it"
        )
    if head.migration < CARRIED_FROM:
        raise StorageError(
            f"{path} was made by a Bellhop that is too old for this one (migration"
            f" {head.migration}); restore it with that version, and {CARRY_FIRST}"
        )
    return head


def _extract(archive: tarfile.TarFile, folder: Path) -> dict[str, str]:
    """Lay every file but our own lists into the folder; returns their sums."""
    sums: dict[str, str] = {}
    for entry in archive:
        if entry.name in {_HEAD, _LIST}:
            continue
        safe = tarfile.data_filter(entry, str(folder))
        file = archive.extractfile(entry) if safe.isreg() else None
        if file is None:
            raise tarfile.TarError(f"{entry.name[:80]} is no file")
        target = folder / safe.name
        target.parent.mkdir(parents=True, exist_ok=True)
        summed = hashlib.sha256()
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            while chunk := file.read(_CHUNK):
                summed.update(chunk)
                out.write(chunk)
            out.flush()
            os.fsync(out.fileno())
        target.chmod((entry.mode & 0o777) | 0o600)
        sums[_listed(entry.name)] = summed.hexdigest()
    return sums


def _check_database(path: Path, copy: Path) -> None:
    try:
        damage = look_for_damage(copy)
    except sqlite3.Error as error:
        raise StorageError(
            f"{path} is damaged (its database: {error}); nothing was restored"
        ) from error
    if damage.beyond_log:
        raise StorageError(f"{path} is damaged (its database: {damage.text}); nothing was restored")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
