"""Cleans text of others: whole characters, names without markup, lines that stay lines."""

import unicodedata

NAME_CHARS = 60
_MARKUP = frozenset('<>[]{}@#/\\:;,`"|*=')


def whole_characters(text: str) -> str:
    """The text with half characters replaced: two halves become one, a single one becomes U+FFFD.

    JSON from elsewhere may hold half of a character, which no encoding has.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def plain_name(name: str) -> str:
    """A name that somebody chose, on one line, without addresses, links or markup."""
    kept = "".join(" " if char in _MARKUP or not _is_plain(char) else char for char in name)
    return " ".join(kept.split())[:NAME_CHARS].strip() or "somebody"


def _is_plain(char: str) -> bool:
    return char.isprintable() and unicodedata.category(char) not in {"Cf", "Zl", "Zp", "Co"}


def one_entry(text: str) -> str:
    """A text as one list item: further lines are indented, so none can pose as an item."""
    return "\n    ".join(text.splitlines()) if text else ""
