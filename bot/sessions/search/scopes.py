"""Workspaces and people as words of the message index.

A search names those whose messages it may find, so it doesn't look at each message of a large home
that has its words. This only saves looking: `Filters` decides by the live rows.
"""

from collections.abc import Iterable
from hashlib import blake2s

_SAID_IN, _SAID_BY_OR_TO = "†", "‡"
"""No word of a text begins with these: the index contains letters and digits only."""


def scope_words(platform: str, workspace: str, people: Iterable[str]) -> str:
    """The index text of a message: where it was said, by whom and to whom."""
    return " ".join([_in_workspace(platform, workspace), *map(_of_person, filter(None, people))])


def within(workspaces: Iterable[tuple[str, str]], people: Iterable[str]) -> str:
    """A MATCH expression for messages of these workspaces, or by or to one of these people."""
    words = {*(_in_workspace(*one) for one in workspaces), *map(_of_person, filter(None, people))}
    quoted = [f'"{word}"' for word in sorted(words)]
    return f"({' OR '.join(quoted)})" if quoted else ""


def _in_workspace(platform: str, workspace: str) -> str:
    return _SAID_IN + _digest(f"{platform}:{workspace}")


def _of_person(person: str) -> str:
    return _SAID_BY_OR_TO + _digest(person)


def _digest(name: str) -> str:
    """A name can hold any character; a word of the index can't."""
    return blake2s(name.encode(errors="replace"), digest_size=6).hexdigest()
