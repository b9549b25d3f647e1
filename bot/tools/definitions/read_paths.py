"""`read:` lines of a tool file, and the folders with a special meaning in the sandbox."""

from collections.abc import Sequence
from pathlib import Path

TOOL_FOLDER = "/tool"
"""The path of the script's folder inside the sandbox."""
SCRATCH = "/tmp"  # noqa: S108 - inside the sandbox, empty and private
MERGED = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Links into /usr on most systems, folders of their own on others."""


def declared(paths: Sequence[str]) -> tuple[Path, ...]:
    """The `read:` lines of a tool file. Raises ValueError, in words for its author."""
    found: list[Path] = []
    for text in paths:
        path = Path(text)
        if not path.is_absolute() or ".." in path.parts or path == Path("/"):
            raise ValueError(
                f"{text[:80]!r} must be the absolute path of a folder or file, such as /srv/shared"
            )
        inner = {"/proc", "/dev", "/sys", "/etc", "/usr", SCRATCH, TOOL_FOLDER, *MERGED}
        if any(path.is_relative_to(one) for one in inner):
            raise ValueError(
                f"{text[:80]!r} has a meaning of its own in the sandbox; choose another folder"
            )
        found.append(path)
    return tuple(dict.fromkeys(found))
