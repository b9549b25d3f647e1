"""Files that the program of a specialist made for its caller, as text behind its reply."""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from bot.regular_file import read_regular_file
from bot.tools.running.output import cut_middle, readable

FOLDER = "artefacts"
"""In the program's own folder."""
MOST = 10
_CHARS = 8_000
"""Bytes of one file."""
_ALL_CHARS = 24_000
_BYTES = 1024 * 1024


def artefacts_in(folder: Path, paths: Sequence[str]) -> str:
    """Blocking.

    The files that a program reports, if they are text and lie in its artefact folder.

    `paths` are the program's own: absolute, or relative to the artefact folder.
    """
    shown = [_artefact(folder / FOLDER, path) for path in paths[:MOST]]
    if len(paths) > MOST:
        shown.append(f"[{len(paths) - MOST} more artefacts are left out]")
    return cut_middle("\n\n".join(shown), _ALL_CHARS)


def _artefact(root: Path, given: str) -> str:
    parts = PurePosixPath(given).parts
    name = str(PurePosixPath(*parts[parts.index(FOLDER) + 1 :])) if FOLDER in parts else given
    called = readable(name)[:100]
    try:
        real = (root / name).resolve(strict=True)
        if not name or not real.is_relative_to(root.resolve()):
            return f"[artefact {called}: it is not in the artefact folder]"
        data = read_regular_file(real, _BYTES)
    except (OSError, ValueError) as error:
        reason = (
            error.strerror
            if isinstance(error, OSError) and error.strerror
            else "it has no usable name"
        )
        return f"[artefact {called}: {reason}]"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return f"[artefact {called}: {len(data):,} bytes that are no text]"
    return f"Artefact {called}:\n{cut_middle(readable(text).strip(), _CHARS)}"
