"""Files in the terminal: `@path` attaches one by reference, and those of messages are saved.

They are saved in a folder of the person's, beside what is there. Saving blocks.
"""

import asyncio
import errno
import mimetypes
import os
import re
import secrets
import stat
import unicodedata
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

from bot.domain.chat import PIECE_BYTES
from bot.domain.messages import Attachment, OutgoingFile
from bot.errors import BotError, DeliveryError, raised_as
from bot.regular_file import open_regular_file, too_large

MAX_FILE_BYTES = 20_000_000
"""Largest file that may be attached."""

_MENTION = re.compile(r'(?<!\S)@(?:"(?P<quoted>[^"\n]+)"|(?P<bare>\S+))')
_LOOKS_LIKE_PATH = re.compile(r"[/\\~]|\.\w{1,8}$")


class CannotAttach(BotError):
    """A mentioned file is missing or can't be sent; the text is for the person."""


@dataclass(frozen=True)
class _Mention:
    written: str
    path: Path


def find_attachments(text: str, folder: Path) -> tuple[Attachment, ...]:
    """Files in a message, as `@path` or `@"path with spaces"`, relative to `folder`.

    `@word` without a slash or an ending is a file only if it exists, so that people can be
    mentioned. Raises CannotAttach. Reads the file system: call it in a thread.
    """
    found = [_attach(mention) for mention in _mentions(text, folder)]
    return tuple(dict.fromkeys(found))


async def read_attachment(attachment: Attachment) -> AsyncGenerator[bytes]:
    """A file that was attached in a terminal, in pieces.

    Raises DeliveryError when it is gone or too large.
    """
    path = Path(attachment.ref)
    size = 0
    with (
        raised_as(DeliveryError, OSError, about=f"{attachment.name} cannot be read any more"),
        await asyncio.to_thread(open_regular_file, path) as file,
    ):
        while piece := await asyncio.to_thread(file.read, PIECE_BYTES):
            size += len(piece)
            if size > MAX_FILE_BYTES:
                raise too_large(path.name, MAX_FILE_BYTES)
            yield piece


def _mentions(text: str, folder: Path) -> list[_Mention]:
    mentions: list[_Mention] = []
    for match in _MENTION.finditer(text):
        written = match["quoted"] or _without_punctuation(match["bare"], folder)
        path = _resolve(written, folder)
        if match["quoted"] or _LOOKS_LIKE_PATH.search(written) or _is_file(path):
            mentions.append(_Mention(written, path))
    return mentions


def _without_punctuation(written: str, folder: Path) -> str:
    """`@report.md,` means report.md, unless a file is really called so."""
    return written if _is_file(_resolve(written, folder)) else written.rstrip(".,;:!?)]}'\"")


def _resolve(written: str, folder: Path) -> Path:
    try:
        return folder / Path(written).expanduser()
    except RuntimeError:  # an unknown user in ~name
        return folder / written


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _attach(mention: _Mention) -> Attachment:
    try:
        if mention.path.is_dir():
            raise CannotAttach(
                f"@{mention.written} is a folder; attach the files in it one by one."
            )
        found = mention.path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise CannotAttach(f"@{mention.written} is not a regular file, so I can't attach it.")
        with mention.path.open("rb"):
            resolved = mention.path.resolve()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CannotAttach(
            f"I can't attach @{mention.written}: {reason}. Check the path and send it again."
        ) from error
    if found.st_size > MAX_FILE_BYTES:
        size, most = _megabytes(found.st_size), _megabytes(MAX_FILE_BYTES)
        raise CannotAttach(f"@{mention.written} is {size}; files up to {most} can be attached.")
    mime = mimetypes.guess_type(mention.path.name)[0] or "application/octet-stream"
    return Attachment(str(resolved), mention.path.name, mime, found.st_size)


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.0f} MB"


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
