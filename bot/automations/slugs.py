"""Names of automation files."""

import re
import unicodedata

from bot.errors import ToolError

SLUG_CHARS = 60
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?")


def slug_of(name: str) -> str:
    """The stem of a file for something with this name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:SLUG_CHARS].strip("-") or "schedule"


def read_slug(path: str, folder: str) -> str:
    """The stem of the file at a path of a folder. Raises ToolError for another kind of name."""
    name = path.removeprefix(f"{folder}/")
    stem = name.removesuffix(".md")
    if stem == name or not _SLUG.fullmatch(stem):
        raise ToolError(
            f"{path}: a file here is named with small letters, digits and hyphens, such as "
            f"{folder}/bug-triage.md"
        )
    return stem
