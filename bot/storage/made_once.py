"""Small files that the first process of a home makes, and all others read."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from bot.errors import StorageError


def made_once(path: Path, text: str) -> str:
    """Make a file with `text` that only its owner may read; the text of the one that is there.

    Another process, also on another machine, may have been quicker. Blocking. Raises StorageError.
    """
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(f"{text}\n")
                file.flush()
                os.fsync(descriptor)
            with suppress(FileExistsError):
                os.link(part, path)
        finally:
            part.unlink(missing_ok=True)
        return path.read_text("ascii", errors="replace").strip()
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
