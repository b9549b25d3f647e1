"""Restores a checked copy into a home: nothing is deleted, and an interruption is noticed."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.errors import StorageError

Move = Callable[[Path, Path], None]

RESTORING = Path("data/restore.part")
"""Where a restore lays its copy, below the home."""


def marker_of(database: Path) -> Path:
    """The file that says that a restore of this database was begun and not finished."""
    return database.with_name(f"{database.name}.restoring")


def require_whole(database: Path) -> None:
    """Raises StorageError while an unfinished restore left half of a home, which must not run."""
    if marker_of(database).exists():
        raise StorageError(
            f"a restore of {database} was cut off; run `bellhop restore PATH --overwrite` again, "
            "nothing is lost"
        )


def put_back(
    copy: Path,
    home: Path,
    database: Path | None,
    parts: Sequence[str],
    aside: Path,
    *,
    move: Move = os.replace,
) -> list[str]:
    """Move the home's files to the folder `aside`, then `copy` and its database into the home.

    `parts` are the files and folders (relative to the home) that a backup contains. Those of the
    home move aside even if the copy lacks them. The database comes last; it is None where a server
    has it. Returns what moved aside. Blocking. Raises StorageError.
    """
    moved: list[str] = []
    try:
        if database is not None:
            database.parent.mkdir(parents=True, exist_ok=True)
            marker_of(database).touch()
            _sync(database.parent)
        for path in [*_files_of(database), *(home / part for part in parts)]:
            if os.path.lexists(path):
                name = path.relative_to(home) if path.is_relative_to(home) else Path(path.name)
                (aside / name).parent.mkdir(parents=True, exist_ok=True)
                move(path, aside / name)
                moved.append(str(name))
        for part in parts:
            if (copy / "home" / part).exists():
                (home / part).parent.mkdir(parents=True, exist_ok=True)
                move(copy / "home" / part, home / part)
        if database is not None:
            move(copy / "database.db", database)
        os.sync()
        if database is not None:
            marker_of(database).unlink()
            _sync(database.parent)
    except OSError as error:
        raise StorageError(
            f"the restore was cut off: {error.filename}: {error.strerror}; run it again with "
            f"--overwrite, what was there before is in {aside}"
        ) from error
    return moved


def _files_of(database: Path | None) -> list[Path]:
    if database is None:
        return []
    return [database.with_name(database.name + ending) for ending in ("", "-wal", "-shm")]


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
