"""Archives: the names of what is in them, and one of their files by its name.

Nothing is written to disk, and a name of a file is never a path of this machine.
"""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Protocol, cast

from bot.plugin.readers import (
    BROKEN,
    HEAD_BYTES,
    DocumentSection,
    FoundText,
    ReadingLimits,
    UnreadableDocument,
    plain_name,
    safe_name,
)
from bot.plugins.document_formats.bounds import UNPACKED_BYTES
from bot.plugins.document_formats.kinds import ARCHIVE_FORMATS, kind_of

LISTED = 200
MEMBER_BYTES = 32 * 1024 * 1024
"""The largest file that is taken out, as large as one that is sent."""
ENCRYPTED = "it is protected by a password; send it unpacked, or packed without one"
_ENCRYPTED_FLAG = 0x1
_FAILS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    OSError,
    EOFError,
    ValueError,
)
_FOREIGN = {"7z", "rar", "zst"}


class _Reads(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


@dataclass(frozen=True)
class _Entry:
    name: str
    size: int | None
    """As the archive says; None if it doesn't."""
    problem: str
    stream: _Reads | None


def read_archive(data: bytes, limits: ReadingLimits) -> FoundText:
    """The names and sizes of what is in it; only the file is unpacked that is asked for."""
    if limits.member:
        found = member_of(data, limits.member, limits)
        if kind_of(found[:HEAD_BYTES], limits.member, "") == "archive":
            raise UnreadableDocument("it is an archive within an archive; send it on its own")
        return limits.within(found, limits.member, "")
    if not limits.whole:
        raise UnreadableDocument("it is an archive; add the files that are in it")
    lines, more, note = list[str](), 0, "an archive, listed and not opened"
    for entry in _entries(data, limits):
        if len(lines) == LISTED and not data.startswith(b"PK"):
            note += "; more are not listed"  # each further one would have to be unpacked
            break
        if len(lines) == LISTED:
            more += 1
            continue
        size = "" if entry.size is None else f" ({entry.size:,} bytes)"
        lines.append(f"- {plain_name(entry.name)}{size}")
    if more:
        note += f"; {more:,} more are not listed"
    return FoundText([DocumentSection("", "\n".join(lines) or "(empty)")], note)


def member_of(data: bytes, member: str, limits: ReadingLimits) -> bytes:
    """The file of an archive that is listed as `member`. Raises UnreadableDocument."""
    wanted = safe_name(member)
    for entry in _entries(data, limits):
        if safe_name(entry.name) != wanted or not wanted:
            continue
        if entry.problem or entry.stream is None:
            raise UnreadableDocument(entry.problem or "it is a folder")
        try:
            found = entry.stream.read(MEMBER_BYTES + 1)
        except _FAILS as error:
            raise UnreadableDocument(BROKEN.format("archive")) from error
        if len(found) > MEMBER_BYTES:
            most = MEMBER_BYTES // 1024**2
            raise UnreadableDocument(f"it unpacks to more than {most} MB; send it in pieces")
        return found
    raise UnreadableDocument("the archive has no file of this name; take one as it is listed")


def _entries(data: bytes, limits: ReadingLimits) -> Iterator[_Entry]:
    """What is in it, in its order. Each stream is to be read before the next entry."""
    kind = next((name for head, name in ARCHIVE_FORMATS if data.startswith(head)), "tar")
    try:
        if kind in _FOREIGN:
            raise UnreadableDocument(
                f"it is a .{kind} archive, which is not opened here; pack it as .zip"
            )
        if kind == "zip":
            yield from _of_zip(data)
        elif kind == "tar":
            yield from _of_tar(io.BytesIO(data))
        else:
            yield from _of_packed(data, kind, limits)
    except _FAILS as error:
        raise UnreadableDocument(BROKEN.format("archive")) from error


def _of_zip(data: bytes) -> Iterator[_Entry]:
    archive = zipfile.ZipFile(io.BytesIO(data))
    for one in archive.infolist():
        locked = ENCRYPTED if one.flag_bits & _ENCRYPTED_FLAG else ""
        yield _Entry(one.filename, one.file_size, locked, _ZipStream(archive, one))


@dataclass(frozen=True)
class _ZipStream:
    archive: zipfile.ZipFile
    entry: zipfile.ZipInfo

    def read(self, size: int = -1, /) -> bytes:
        if self.entry.is_dir():
            raise UnreadableDocument("it is a folder; name a file that is in it")
        try:
            with self.archive.open(self.entry) as stream:
                return stream.read(size)
        except (NotImplementedError, RuntimeError) as error:
            raise UnreadableDocument("it is packed in a way that is not read here") from error


def _of_tar(stream: _Reads) -> Iterator[_Entry]:
    with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r|") as archive:
        for one in archive:
            file = archive.extractfile(one) if one.isreg() else None
            why = "it is a folder" if one.isdir() else "it is a link, which is not followed"
            yield _Entry(one.name, one.size, "" if file else why, file)


def _of_packed(data: bytes, kind: str, limits: ReadingLimits) -> Iterator[_Entry]:
    """Of a packed file: of a tar what is in that, else the one file that it is."""
    first = _unpacking(data, kind).read(HEAD_BYTES)
    stream = _Bounded(_unpacking(data, kind), limits)
    if first[257:262] == b"ustar":
        yield from _of_tar(stream)
        return
    name = PurePosixPath(limits.name).name
    yield _Entry(name.removesuffix(f".{kind}") or "file", None, "", stream)


def _unpacking(data: bytes, kind: str) -> _Reads:
    packed = io.BytesIO(data)
    match kind:
        case "gz":
            return gzip.GzipFile(fileobj=packed)
        case "bz2":
            return bz2.BZ2File(packed)
        case _:
            return lzma.LZMAFile(packed)


class _Bounded:
    """Ends a file that unpacks to more than may be, or for too long."""

    def __init__(self, stream: _Reads, limits: ReadingLimits) -> None:
        self._stream = stream
        self._limits = limits
        self._left = UNPACKED_BYTES

    def read(self, size: int = -1, /) -> bytes:
        found = self._stream.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(found)
        if self._left < 0 or self._limits.is_late:
            most = UNPACKED_BYTES // 1024**2
            raise UnreadableDocument(f"it unpacks to more than {most} MB, or takes too long")
        return found
