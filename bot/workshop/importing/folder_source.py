"""Reads a folder or one file of this machine: links are named, never followed.

Blocking: runs in a thread.
"""

import os
import stat
from pathlib import Path

from bot.storage.confined import open_folder, read_bytes
from bot.workshop.importing.bundle import MOST_LEVELS, Bundle, BundleBuilder
from bot.workshop.importing.findings import ImportRefused, Severity

_MOST_ENTRIES = 2_000


def read_folder(root: Path, source: str) -> Bundle:
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


def read_one_file(path: Path, source: str) -> Bundle:
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
