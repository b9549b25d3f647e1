"""Cleans and shortens text: lone surrogates, markup in names, line breaks in list items."""

import unicodedata

NAME_CHARS = 60
FILE_NAME_CHARS = 120
_ENDING_CHARS = 16
_MARKUP = frozenset('<>[]{}@#/\\:;,`"|*=')


def whole_characters(text: str) -> str:
    """Join surrogate pairs, and replace a lone surrogate by U+FFFD.

    JSON from outside may hold a lone surrogate, which can't be encoded as UTF-8.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def plain_name(name: str) -> str:
    """A name that somebody chose, on one line and without addresses, links or markup."""
    kept = "".join(" " if char in _MARKUP or not _is_plain(char) else char for char in name)
    return " ".join(kept.split())[:NAME_CHARS].strip() or "somebody"


def plain_file_name(name: str) -> str:
    """The name of somebody's file on one line, without folders and characters that hide its end."""
    kept = "".join("_" if char in "/\\" else char if _is_plain(char) else " " for char in name)
    kept = " ".join(kept.split()) or "file"
    if len(kept) <= FILE_NAME_CHARS:
        return kept
    return f"{kept[: FILE_NAME_CHARS - _ENDING_CHARS - 1]}…{kept[-_ENDING_CHARS:]}"


def _is_plain(char: str) -> bool:
    return char.isprintable() and unicodedata.category(char) not in {"Cf", "Zl", "Zp", "Co"}


def one_entry(text: str) -> str:
    """A text as one list item: further lines are indented, so none can pose as an item."""
    return "\n    ".join(text.splitlines()) if text else ""


def shortened(text: str, most: int) -> str:
    """At most so many characters; an ellipsis stands for those that are missing."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def short_line(text: str, most: int) -> str:
    """A text on one line, `shortened`."""
    return shortened(" ".join(text.split()), most)
