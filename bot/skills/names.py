"""Names of commands and custom skills: `[a-z0-9_]{1,32}`, numbered on a clash."""

import re
import unicodedata
from collections.abc import Container

NAME_CHARS = 32
_OTHER = re.compile(r"[^a-z0-9]+")


def command_name(text: str) -> str:
    """A name from a text: without accents, all but letters and digits as underscores.

    Empty if no character of the text is usable.
    """
    plain = unicodedata.normalize("NFKD", text.strip().removeprefix("/"))
    plain = "".join(char for char in plain if not unicodedata.combining(char)).lower()
    name = _OTHER.sub("_", plain).strip("_") if not is_name(plain) else plain
    return name[:NAME_CHARS].rstrip("_") if not is_name(name) else name


def is_name(text: str) -> bool:
    return re.fullmatch(r"[a-z0-9_]{1,32}", text) is not None


def free_name(wanted: str, taken: Container[str]) -> str:
    """`wanted`, or the first free of `wanted_2`, `wanted_3` …, within 32 characters."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        suffix = f"_{number}"
        name = wanted[: NAME_CHARS - len(suffix)] + suffix
    return name
