"""The text that an edit makes, and the paths whose names share words with another."""

import posixpath
import re
from collections.abc import Iterable, Sequence

from bot.errors import ToolError

SIMILAR = 4
"""The most files that a result names as similar to a new one."""
_WORD_CHARS = 4


def edited(path: str, text: str, old: str, new: str, *, replace_all: bool) -> tuple[str, int]:
    """The text with `old` replaced, and in how many places. Raises ToolError if it isn't unique."""
    count = text.count(old)
    if count == 0:
        hint = ""
        if " ".join(old.split()) in " ".join(text.split()):
            hint = " (it does when white space is ignored)"
        raise ToolError(
            f"old does not occur in {path}{hint}; read the file and copy the text exactly"
        )
    if count > 1 and not replace_all:
        raise ToolError(
            f"old occurs {count} times in {path}; add text around it until it is unique, or "
            "set replace_all"
        )
    return text.replace(old, new), count


def added(text: str, new: str) -> str:
    """The text with `new` as lines at its end; the same text if it ends with them or is them."""
    lines = new.strip("\n")
    if not lines.strip() or f"\n{lines}\n" in f"\n{text}\n":
        return text
    start = text if not text or text.endswith("\n") else f"{text}\n"
    return f"{start}{lines}\n"


def similar(path: str, others: Iterable[str]) -> Sequence[str]:
    """Paths whose names share a word with that of `path`; those that share most come first."""
    own = _words(path)
    shared = {other: len(own & _words(other)) for other in others if other != path}
    found = sorted(
        (other for other, count in shared.items() if count), key=lambda one: -shared[one]
    )
    return found[:SIMILAR]


def _words(path: str) -> set[str]:
    stem = posixpath.splitext(posixpath.basename(path))[0].casefold()
    return {word for word in re.findall(r"[^\W_]+", stem) if len(word) >= _WORD_CHARS}
