"""The tags of a post in a forum, as words of its first message."""

from collections.abc import Sequence

from bot.plugin.payloads import plain_name


def tag_words(tags: Sequence[str]) -> str:
    """The tags of a post as a line of its first message; nothing without any."""
    return f"[tags: {', '.join(map(plain_name, tags))}]" if tags else ""
