"""The owner of a home folder, and other users who could read it.

The functions block; call them in a thread.
"""

import os
import pwd
import stat
from collections.abc import Iterator
from pathlib import Path

from bot.errors import StorageError
from bot.regular_file import leads_nowhere

_SIGNS = (
    "bellhop.yaml",
    "contacts.yaml",
    "policy.yaml",
    "data/bellhop.db",
    "data/bellhop.lock",
    "prompts/tools",
    "prompts/agents",
    "prompts/system",
)
_WITH_WORDS = (
    "data/bellhop.db",
    "data/bellhop.db-wal",
    "data/bellhop.db-shm",
    "data/bellhop.log",
)
"""Files that Bellhop writes, with what people said."""
_PRIVATE_FILES = (".env", *_WITH_WORDS)
_OWN_FOLDERS = ("", "data", "data/blobs", ".locks")
_OWN_FILES = (*_WITH_WORDS, "data/bellhop.lock")
_WRITTEN = (
    *("memory", "skills", "prompts", "prompts/tools", "prompts/agents", "prompts/system"),
    "prompts/tools/shared",
)


def is_home(folder: Path) -> bool:
    """Whether this folder is a home of Bellhop. A link that leads nowhere is also a sign."""
    return any(os.path.lexists(folder / sign) for sign in _SIGNS)


def require_home(folder: Path) -> None:
    """Raises StorageError for a folder that is missing or is not a home."""
    remedy = f"check the path of --home, or make it a home with `bellhop init {folder}`"
    try:
        if not folder.is_dir():
            raise StorageError(f"there is no folder {folder}; {remedy}")
        if not is_home(folder) and any(folder.iterdir()):
            raise StorageError(f"{folder} holds other things and no Bellhop; {remedy}")
    except OSError as error:
        raise StorageError(
            f"{folder} can't be read: {error.strerror}; {_as_owner(folder)}"
        ) from error


def require_own(home: Path) -> None:
    """Raises StorageError with the remedy unless this process owns the home and may write to it.

    What people wrote may lie elsewhere, but not on a disk that is not mounted: without it, what
    they switched off would be on.
    """
    for path in (home / name for name in _WRITTEN):
        if os.path.islink(path) and not os.path.exists(path):  # noqa: PTH110, PTH114 - never raise
            raise _leads_nowhere(path)
    for name in (*_OWN_FOLDERS, *_OWN_FILES):
        path = home / name
        status = _status(home, path)
        if status is None or stat.S_ISCHR(status.st_mode):  # a log may go to /dev/null
            continue
        if status.st_uid != os.geteuid():
            raise StorageError(
                f"{path} belongs to {_name(status.st_uid)}, and you are {_name(os.geteuid())}; "
                f"{_as_owner(path)}"
            )
        folder = name in _OWN_FOLDERS
        if stat.S_ISDIR(status.st_mode) != folder or stat.S_ISFIFO(status.st_mode):
            raise StorageError(f"{path} is no {'folder' if folder else 'file'}; move it away")
        if not os.access(path, os.R_OK | os.W_OK | (os.X_OK if folder else 0)):
            raise StorageError(
                f"{path} can't be written to; make it writable (`chmod -R u+rwX {home}`, or mount "
                "it for writing), or use another --home"
            )


def _status(home: Path, path: Path) -> os.stat_result | None:
    """None where nothing is."""
    try:
        return path.stat()
    except FileNotFoundError as error:
        if path.is_symlink():
            raise _leads_nowhere(path) from error
        return None
    except OSError as error:
        raise StorageError(f"{path} can't be used: {error.strerror}; {_as_owner(home)}") from error


def _leads_nowhere(path: Path) -> StorageError:
    return StorageError(f"{path} {leads_nowhere(path)}")


def made_usable(path: Path) -> str:
    """How this user gets to read and write a file: the commands for its owner or its rights."""
    for one in (path.parent, path):
        try:
            if one.stat().st_uid != os.geteuid():
                return _as_owner(one)
        except OSError:
            break
    return f"make it writable (`chmod u+rwX {path.parent} {path}`, or mount its disk for writing)"


def loose_modes(home: Path) -> Iterator[str]:
    """A sentence for each file that other users can read, with the command that fixes it.

    In a closed folder nobody else reaches a file, whatever its own mode is.
    """
    for path, wanted in ((home, 0o700), *((home / name, 0o600) for name in _PRIVATE_FILES)):
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
        except OSError:
            continue  # not there, or named by another check
        if mode & 0o077:
            yield (
                f"{path} is open to other users of this machine (mode {mode:o}); run: chmod "
                f"{wanted:o} {path}"
            )
        elif path == home:
            return


def _as_owner(path: Path) -> str:
    try:
        found = path.stat().st_uid
    except OSError:
        return "check its rights and those of the folders above it"
    if found == os.geteuid():
        return "move away what lies in its place"
    owner, user = _name(found), _name(os.geteuid())
    return (
        f"run this as {owner} (`sudo -u {owner} bellhop …`), or give it away (`chown -R {user} "
        f"{path}`)"
    )


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:  # a container without a user database
        return f"user {user}"
