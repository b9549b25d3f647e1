"""A home and its database carry the same id, so that neither is used with another's.

With PostgreSQL a home that isn't mounted looks like an empty one: its processes would answer
without contacts, memory and policy. So an empty folder is refused there.
"""

import asyncio
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from bot.domain.database import Database, Unit
from bot.errors import StorageError, raised_as
from bot.regular_file import read_regular_file
from bot.storage.confined import make_file
from bot.storage.values import HomeValue, home_value, put_home_value


def made_once(path: Path, text: str) -> str:
    """Make a file with `text` that only its owner may read; the text of the one that is there.

    Another process, also on another machine, may have been quicker. Blocking. Raises StorageError.
    """
    with raised_as(StorageError, OSError, about=f"cannot write {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            make_file(path, f"{text}\n".encode(), 0o600)
        return _read(path)


def _read(path: Path) -> str:
    """Raises OSError, also for what is no regular file."""
    return read_regular_file(path).decode("ascii", errors="replace").strip()


FILE = Path("data/home.id")
_ID = re.compile(r"[0-9a-f]{32}")


async def belong_together(
    home: Path, database: Database, *, server: bool, read_only: bool = False
) -> None:
    """Give a new home and its database an id, or compare those that they have.

    `server`: the database lies on a server, not in the home. With `read_only` nothing is written.
    Raises StorageError with the remedy when they don't belong together.
    """
    # The file is written first, so whoever sees another's first start in the database finds it.
    in_database = await database_id(database)
    in_home = await asyncio.to_thread(home_id, home)
    if in_database and not in_home and server:
        raise StorageError(
            f"{home} is not the home of its database: {FILE} is missing. Mount the home that all"
            " processes share, or set database.url to a database of this home's own. If the files"
            f" were lost, write {in_database} into {home / FILE}"
        )
    if not read_only:
        in_home = in_home or await asyncio.to_thread(
            made_once, home / FILE, in_database or secrets.token_hex(16)
        )
        in_database = in_database or await _recorded(database, in_home)
    if in_home and in_database and in_home != in_database:
        raise StorageError(
            f"{home} and its database belong to two homes: {FILE} says {in_home}, the database"
            f" says {in_database}. Set database.url to this home's database. If the two do belong"
            f" together, write {in_database} into {home / FILE}"
        )


def home_id(home: Path) -> str:
    """The id of a home, or "" for a home that has none yet. Blocking. Raises StorageError."""
    if not os.path.lexists(home / FILE):
        return ""
    try:
        text = _read(home / FILE)
    except OSError as error:
        raise StorageError(
            f"cannot read {home / FILE}: {error.strerror}; make it a readable file, or restore it"
            " from a backup"
        ) from error
    if not _ID.fullmatch(text):
        raise StorageError(
            f"{home / FILE} holds no id of a home; restore it from a backup, or remove it, and the"
            " next start says which id the database has"
        )
    return text


async def database_id(database: Database) -> str:
    """The id of the home that a database belongs to, or "" when it has none yet."""
    return await home_value(database, HomeValue.HOME_ID) or ""


async def _recorded(database: Database, wanted: str) -> str:
    """Give a database its id; another process may have been quicker."""
    await database.write(Unit.of(put_home_value(HomeValue.HOME_ID, wanted, first=True)))
    return await database_id(database)
