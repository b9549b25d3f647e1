"""Files that a message brings: saved in a folder of the person's, beside what is there.

Everything here blocks.
"""

import errno
import os
import secrets
import unicodedata
from pathlib import Path

from bot.domain.messages import OutgoingFile
from bot.errors import BotError

_UNFIT = frozenset('/\\:*?"<>|`')
_NAME_BYTES = 200
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_MOST_SAME = 100
"""How many files may have a name and numbers behind it."""


class CannotSave(BotError):
    """A file can't be saved; the text is for the person."""


def save(file: OutgoingFile, blobs: Path, folder: Path) -> Path:
    """Save a file, and return where it is now.

    Nothing that is there is replaced: another file of that name gets a number behind it, and the
    same bytes are saved once. Raises CannotSave.
    """
    try:
        data = (blobs / file.blob).read_bytes()
    except OSError:
        raise CannotSave(f"{fit_name(file.name)} is no longer stored") from None
    name = Path(fit_name(file.name))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, _MOST_SAME + 1):
            path = folder / (name.name if number == 1 else f"{name.stem}-{number}{name.suffix}")
            if _put(path, data):
                return path
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotSave(f"{name} can't be saved in {folder}: {reason}") from error
    raise CannotSave(f"{name} can't be saved in {folder}: there are {_MOST_SAME} of that name")


def fit_name(name: str) -> str:
    """A name that others chose, as a file's: visible, in no other folder, and not hidden."""
    kept = (
        "_" if char in _UNFIT or not char.isprintable() else char
        for char in unicodedata.normalize("NFC", name)
        if unicodedata.category(char) not in {"Cf", "Cs", "Co"}
    )
    whole = Path("".join(kept).strip(". ") or "file")
    ending = whole.suffix if len(whole.suffix.encode()) <= _NAME_BYTES // 4 else ""
    room = _NAME_BYTES - len(ending.encode())
    stem = whole.name.removesuffix(ending).encode()[:room].decode(errors="ignore")
    return f"{stem}{ending}"


def _put(path: Path, data: bytes) -> bool:
    """Make a new file; False if another one is there. One with the same bytes stays.

    It appears whole, so that two screens that get the same file find each other's.
    """
    arriving = path.parent / f".{secrets.token_hex(8)}.arriving"
    _write(arriving, data)
    try:
        os.link(arriving, path, follow_symlinks=False)
    except FileExistsError:
        return _is_same(path, data)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return _put_at_once(path, data)
    finally:
        arriving.unlink()
    return True


def _put_at_once(path: Path, data: bytes) -> bool:
    """The same on a file system without hard links."""
    try:
        _write(path, data)
    except FileExistsError:
        return _is_same(path, data)
    return True


def _write(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as made:
        made.write(data)


def _is_same(path: Path, data: bytes) -> bool:
    if path.is_symlink() or not path.is_file() or path.stat().st_size != len(data):
        return False
    return path.read_bytes() == data
