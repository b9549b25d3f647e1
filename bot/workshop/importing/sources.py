"""Opens a source: a git address, zip archive, folder or file, or an attachment's bytes."""

import asyncio
import stat
from pathlib import Path

from bot.workshop.importing.bundle import Bundle, BundleBuilder
from bot.workshop.importing.findings import ImportRefused, shown
from bot.workshop.importing.folder_source import read_folder, read_one_file
from bot.workshop.importing.git_source import is_git_address, parse_git_address, read_git
from bot.workshop.importing.zip_source import ARCHIVE_BYTES, read_zip

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


async def read_source(text: str) -> Bundle:
    """What an operator named: PATH, ZIP or GIT-URL. Raises ImportRefused."""
    if is_git_address(text):
        return await read_git(parse_git_address(text))
    return await asyncio.to_thread(_read_path, text)


def read_attachment(name: str, data: bytes) -> Bundle:
    """A file that came through a chat. Blocking. Raises ImportRefused."""
    label = Path(name.replace("\\", "/")).name.lstrip(".") or "attachment"
    if data.startswith(_ZIP):
        return read_zip(data, label, label, "attachment")
    builder = BundleBuilder("the attachment")
    if builder.wanted(label):
        builder.add(label, data)
    return builder.build(label, "attachment")


def _read_path(text: str) -> Bundle:
    path = Path(text)
    try:
        path = path.expanduser()
        mode = path.stat().st_mode
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ImportRefused(
            f"{shown(text)}: cannot be read ({reason}); name a file, a folder or a git URL"
        ) from error
    source = str(path.resolve())
    if stat.S_ISDIR(mode):
        return read_folder(path, source)
    if not stat.S_ISREG(mode):
        raise ImportRefused(f"{shown(text)}: is no plain file or folder; name one")
    try:
        with path.open("rb") as file:
            head = file.read(4)
            if head not in _ZIP:
                return read_one_file(path.resolve(), source)
            return read_zip(head + file.read(ARCHIVE_BYTES), source, path.name)
    except OSError as error:
        raise ImportRefused(
            f"{path}: cannot be read ({error.strerror or error}); make it readable"
        ) from error
