"""Names of slash commands and of custom skills: `[a-z0-9_]{1,32}`, with a number behind them on a clash."""

import re
import unicodedata
from collections.abc import Container

NAME_CHARS = 32
_OTHER = re.compile(r"[^a-z0-9]+")


def command_name(text: str) -> str:
    """The name that a text makes: accents dropped, everything else that is no letter or digit an underscore.

    Empty when nothing of the text can stand in a name.
    """
    plain = unicodedata.normalize("NFKD", text.strip().removeprefix("/"))
    plain = "".join(char for char in plain if not unicodedata.combining(char)).lower()
    name = _OTHER.sub("_", plain).strip("_") if not is_name(plain) else plain
    return name[:NAME_CHARS].rstrip("_") if not is_name(name) else name


def is_name(text: str) -> bool:
    return re.fullmatch(r"[a-z0-9_]{1,32}", text) is not None


def free_name(wanted: str, taken: Container[str]) -> str:
    """`wanted`, or the first of `wanted_2`, `wanted_3` … that is free, still within 32 characters."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        suffix = f"_{number}"
        name = wanted[: NAME_CHARS - len(suffix)] + suffix
    return name
