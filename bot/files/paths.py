"""Paths of virtual files: absolute POSIX, one spelling per file; what their endings say.

`way_to` says how a person gets a file: by `/files`, or handed over with `send`.
"""

import re
import unicodedata

from bot.domain.characters import shortened
from bot.errors import ToolError

NAME_BYTES = 255
PATH_BYTES = 1024

_ENCODED = re.compile(r"%(?:25)*(?:2e|2f|5c|00)", re.IGNORECASE)
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_TYPES = {
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "htm": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "xml": "application/xml",
    "svg": "image/svg+xml",
    "ics": "text/calendar",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "pdf": "application/pdf",
    "zip": "application/zip",
}
DOCUMENTS = "/documents"
SENT_BY_COMMAND = (DOCUMENTS, "/daily-notes", "/preferences", "/custom-skills")
"""The folders of a person's own files that `/files` sends."""
_NOT_THEIRS = ("/custom-skills/shared", "/preferences/permissions.md")
_TERMINAL = "terminal"


def normalise(path: str) -> str:
    """The canonical path: NFC, single slashes, no `.` steps, no final slash (`/` is the root).

    Raises ToolError for relative paths, `..`, backslashes, encoded dots and slashes, invisible
    characters and names that are too long. None of these are repaired, because two readers could
    disagree about the result.
    """
    shown = _shown(path)
    if not path.startswith("/"):
        raise ToolError(
            f"{shown} is not an absolute path; write it from the root, such as /documents/plan.md"
        )
    if any(unicodedata.category(character) in _INVISIBLE for character in path):
        raise ToolError(f"{shown} holds an invisible or control character; leave it out")
    if "\\" in path:
        raise ToolError(f"{shown} holds a backslash; folders are separated by /")
    if _ENCODED.search(path):
        raise ToolError(f"{shown} holds an encoded dot or slash; write paths as plain text")
    parts = [
        part for part in unicodedata.normalize("NFC", path).split("/") if part not in ("", ".")
    ]
    for part in parts:
        _check_name(part, shown)
    whole = "/" + "/".join(parts)
    if len(whole.encode()) > PATH_BYTES:
        raise ToolError(f"{shown} is longer than {PATH_BYTES} bytes; use a shorter path")
    return whole


def _check_name(name: str, shown: str) -> None:
    # Compatibility forms count too: full-width dots must not become `..` in somebody else's
    # normalisation.
    plain = unicodedata.normalize("NFKC", name)
    if not plain.strip(". ") or ("/" in plain and "/" not in name) or "\\" in plain:
        raise ToolError(
            f"{shown} holds a step made of dots or look-alikes; `..` is not followed, write the "
            "whole path"
        )
    if name != name.strip():
        raise ToolError(f"{shown} has a name that begins or ends with a space; leave the space out")
    if len(name.encode()) > NAME_BYTES:
        raise ToolError(f"{shown} has a name longer than {NAME_BYTES} bytes; use a shorter one")


def _shown(path: str) -> str:
    return repr(shortened(path, 120))


def is_below(path: str, prefix: str) -> bool:
    """Whether a normalised path is the prefix or lies below it (`/docs2` is not below `/docs`)."""
    return prefix in ("/", path) or path.startswith(f"{prefix}/")


def name_of(path: str) -> str:
    """The last step of a normalised path."""
    return path.rpartition("/")[2]


def ancestors(path: str) -> tuple[str, ...]:
    """The folders that a normalised path lies in, without the root: `/a/b/c` gives `/a`, `/a/b`."""
    steps = path.split("/")[1:-1]
    return tuple("/" + "/".join(steps[: count + 1]) for count in range(len(steps)))


def media_type_of(name: str) -> str:
    """The media type of a file, `text/plain` unless its ending says more."""
    return _TYPES.get(name.rpartition(".")[2].casefold(), "text/plain")


def way_to(path: str, platform: str, *, sends: bool) -> str:
    """The sentence for a model that made or changed a file: how its person gets it.

    `path` is where the file is kept. `sends`: whether the model has `send`.
    """
    by_send = "send with `file` hands it over"
    if not _has_command(path):
        return f"{by_send[0].upper()}{by_send[1:]}." if sends else ""
    gives = "gives it to the person, who alone can open it"
    if platform == _TERMINAL:
        gives = "saves it on the person's disk"
    command = f"`/files {path.removeprefix(f'{DOCUMENTS}/')}` {gives}"
    return f"{command}; {by_send}." if sends else f"{command}."


def _has_command(path: str) -> bool:
    return any(is_below(path, root) for root in SENT_BY_COMMAND) and not any(
        is_below(path, root) for root in _NOT_THEIRS
    )
