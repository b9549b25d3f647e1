"""Reads a zip archive into memory. It checks stated sizes first, and counts unpacked bytes.

Blocking.
"""

import io
import stat
import zipfile
import zlib

from bot.workshop.importing.bundle import ALL_BYTES, MOST_FILES, Bundle, BundleBuilder
from bot.workshop.importing.findings import ImportRefused, Severity, shown

ARCHIVE_BYTES = 2 * ALL_BYTES
MOST_RATIO = 100
_RATIO_FROM = 64 * 1024
"""Smaller files may be as repetitive as they like."""
_MOST_ENTRIES = 4 * MOST_FILES
_ENCRYPTED = 0x1
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


def read_zip(data: bytes, source: str, name: str, kind: str = "zip") -> Bundle:
    """The files of an archive. Raises ImportRefused: one bad entry refuses all of it."""
    if len(data) > ARCHIVE_BYTES:
        raise ImportRefused(
            f"{name}: is larger than {ARCHIVE_BYTES // 1024 // 1024} MB; import fewer skills at "
            "once"
        )
    builder = BundleBuilder(name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > _MOST_ENTRIES:
                raise ImportRefused(
                    f"{name}: has {len(entries):,} entries, at most {MOST_FILES} files are read"
                )
            for entry in entries:
                _take(builder, archive, entry)
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


def _take(builder: BundleBuilder, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
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
    if entry.file_size > _RATIO_FROM and entry.file_size > MOST_RATIO * max(entry.compress_size, 1):
        raise _refused(
            builder,
            path,
            f"grows more than {MOST_RATIO} times when unpacked; that is how a bomb looks",
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
