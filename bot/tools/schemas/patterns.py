"""Patterns of schemas. They run on RE2, because a schema may come from elsewhere."""

from functools import lru_cache

from bot.tools.text.patterns import TextPattern


@lru_cache(maxsize=1024)
def pattern_of(text: str) -> TextPattern:
    """A pattern of a schema, looked for anywhere in a text.

    Raises ValueError when RE2 can't read it.
    """
    return TextPattern(regex=text) if text else TextPattern(glob="*")


def matches(pattern: str, text: str) -> bool:
    """Raises ValueError for a pattern that RE2 can't read."""
    return pattern_of(pattern).fits(text)
