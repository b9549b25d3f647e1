"""Opens a source: a git address, zip archive, folder or file, or an attachment's bytes.

Links are named, never followed. Of an archive, stated sizes are checked first, and unpacked bytes
counted. Blocking: runs in a thread.
"""

import asyncio
import io
import os
import stat
import zipfile
import zlib
from pathlib import Path

from bot.plugin.folders import open_folder, read_bytes
from bot.plugin.imports import ImportRefused, Severity, shown
from bot.plugins.importing.bundle import ALL_BYTES, MOST_FILES, MOST_LEVELS, Bundle, BundleBuilder
from bot.plugins.importing.git_source import is_git_address, parse_git_address, read_git

_ARCHIVE_BYTES = 2 * ALL_BYTES
_MOST_RATIO = 100
_RATIO_FROM = 64 * 1024
"""Smaller files may be as repetitive as they like."""
_MOST_ZIPPED = 4 * MOST_FILES
_ENCRYPTED = 0x1
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


def _read_zip(data: bytes, source: str, name: str, kind: str = "zip") -> Bundle:
    """The files of an archive. Raises ImportRefused: one bad entry refuses all of it."""
    if len(data) > _ARCHIVE_BYTES:
        raise ImportRefused(
            f"{name}: is larger than {_ARCHIVE_BYTES // 1024 // 1024} MB; import fewer skills at "
            "once"
        )
    builder = BundleBuilder(name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > _MOST_ZIPPED:
                raise ImportRefused(
                    f"{name}: has {len(entries):,} entries, at most {MOST_FILES} files are read"
                )
            for entry in entries:
                _take_zipped(builder, archive, entry)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        NotImplementedError,
        OverflowError,
    ) as error:
        raise ImportRefused(
            f"{name}: is not a sound zip archive ({shown(str(error))}); pack it again"
        ) from error
    return builder.build(source, kind)


def _take_zipped(builder: BundleBuilder, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
    path = entry.orig_filename
    mode = entry.external_attr >> 16
    if stat.S_ISLNK(mode) or (stat.S_IFMT(mode) and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))):
        raise _refused(builder, path, "is a link or no plain file; pack the skill without it")
    if not builder.wanted(path.rstrip("/") if entry.is_dir() else path) or entry.is_dir():
        return
    if entry.flag_bits & _ENCRYPTED:
        raise _refused(
            builder, path, "is encrypted, so nobody can review it; pack it without a password"
        )
    if entry.compress_type not in _METHODS:
        raise _refused(builder, path, "is packed by an unusual method; pack it with deflate")
    builder.announce(path, entry.file_size)
    if entry.file_size > _RATIO_FROM and entry.file_size > _MOST_RATIO * max(
        entry.compress_size, 1
    ):
        raise _refused(
            builder,
            path,
            f"grows more than {_MOST_RATIO} times when unpacked; that is how a bomb looks",
        )
    with archive.open(entry) as stream:
        content = stream.read(
            builder.room + 1
        )  # the claimed size may be a lie; `add` counts what came out
    if path.casefold().endswith(".zip"):
        builder.note(
            Severity.WARN, "archive", path, "an archive inside the archive; it was not opened"
        )
    builder.add(path, content, executable=bool(mode & 0o111))


def _refused(builder: BundleBuilder, path: str, text: str) -> ImportRefused:
    return ImportRefused(f"{builder.where}, {shown(path)}, line 1: {text}")


_MOST_ENTRIES = 2_000


def _read_folder(root: Path, source: str) -> Bundle:
    """Everything below a folder. Raises ImportRefused."""
    builder = BundleBuilder(root.name)
    pending: list[tuple[str, ...]] = [()]
    seen = 0
    try:
        while pending:
            parts = pending.pop()
            with open_folder(root, parts) as folder:
                for name in sorted(os.listdir(folder)):  # noqa: PTH208 - of a descriptor
                    seen += 1
                    if seen > _MOST_ENTRIES or len(parts) > MOST_LEVELS:
                        raise ImportRefused(
                            f"{root}: holds far more than a skill; name the skill's own folder"
                        )
                    if _take(builder, folder, (*parts, name)):
                        pending.append((*parts, name))
    except OSError as error:
        raise ImportRefused(
            f"{root}: cannot be read ({error.strerror or error}); make it readable"
        ) from error
    return builder.build(source, "folder")


def _read_one_file(path: Path, source: str) -> Bundle:
    """A bundle of a single file. Raises ImportRefused."""
    builder = BundleBuilder(path.name)
    try:
        with open_folder(path.parent, ()) as folder:
            data = read_bytes(folder, path.name, builder.room + 1)
    except OSError as error:
        reason = error.strerror or error
        raise ImportRefused(
            f"{path}: cannot be read ({reason}); name a plain readable file, not a link"
        ) from error
    builder.add(path.name.lstrip(".") or "file", data)
    return builder.build(source, "file")


def _take(builder: BundleBuilder, folder: int, parts: tuple[str, ...]) -> bool:
    """Take a file; True when it is a folder that should be looked into."""
    path = "/".join(parts)
    if not builder.wanted(path):
        return False
    mode = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False).st_mode
    if stat.S_ISDIR(mode):
        return True
    if stat.S_ISLNK(mode):
        builder.note(
            Severity.BLOCK, "link", path, "a symbolic link; it was not followed and left out"
        )
    elif not stat.S_ISREG(mode):
        builder.note(
            Severity.BLOCK, "special-file", path, "a pipe, socket or device; it was left out"
        )
    else:
        data = read_bytes(folder, parts[-1], builder.room + 1)
        builder.add(path, data, executable=bool(mode & 0o111))
    return False


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
        return _read_zip(data, label, label, "attachment")
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
        return _read_folder(path, source)
    if not stat.S_ISREG(mode):
        raise ImportRefused(f"{shown(text)}: is no plain file or folder; name one")
    try:
        with path.open("rb") as file:
            head = file.read(4)
            if head not in _ZIP:
                return _read_one_file(path.resolve(), source)
            return _read_zip(head + file.read(_ARCHIVE_BYTES), source, path.name)
    except OSError as error:
        raise ImportRefused(
            f"{path}: cannot be read ({error.strerror or error}); make it readable"
        ) from error
