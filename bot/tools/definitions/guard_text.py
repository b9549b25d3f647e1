"""Finds words in a tool file that should restrict it but would be read as plain text.

A misspelt `## Acess` would open the tool to everybody, because a tool without `## Access` is open.
So any similar heading makes the file invalid.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from bot.domain.access import Role

_WORDS = (
    *("access", "allowedroles", "risk", "lasting", "requires", "runs", "hosts", "paths"),
    "disabled",
)
_NEAR = 0.8
_ROLE = 0.7
_PERHAPS = 0.6
"""Enough for a title when what stands below reads like roles."""
_MOST_WORDS = 12
_LONGEST = 100
_TITLE_CHARS = 23
"""Where a title that stands before roles in the same line ends at the latest."""
_LONGEST_ROLE = max(map(len, Role))
_GAP = re.compile(r"[\s,;]+")
_NO_LETTER = re.compile(r"[^a-z]")


def near_guard(title: str) -> str | None:
    """The section that a title seems to misspell; None when it is something else."""
    if gives_roles(title):
        return "access"
    letters = _letters(title)
    best = max(_WORDS, key=lambda word: _alike(letters, word))
    return best if letters and _alike(letters, best) >= _NEAR else None


def reads_like_roles(body: str) -> bool:
    """Whether a text is a list of roles, with a few letters wrong perhaps."""
    words = [word for word in map(_letters, _GAP.split(body[: 2 * _LONGEST])) if word]
    if not words or len(words) > _MOST_WORDS:
        return False
    return all(_names_role(word) for word in words) or _names_role("".join(words))


def stray_access(lines: Sequence[tuple[int, str]]) -> int | None:
    """The line that gives roles without a heading, such as `Access: Partner`; None without one.

    `lines` are numbered lines outside of the section that gives the roles, without code fences. A
    leading backslash marks a line as plain text.
    """
    for at, (number, line) in enumerate(lines):
        if len(line) > _LONGEST or not line.strip() or line.startswith("\\"):
            continue
        if gives_roles(line):
            return number
        if _perhaps_access(line):
            below = next((text for _, text in lines[at + 1 :] if re.search(r"\w", text)), "")
            if reads_like_roles(below):
                return number
    return None


def may_give_roles(line: str) -> bool:
    """Whether `stray_access` could take the line for roles, or for a title above roles."""
    return len(line) <= _LONGEST and (gives_roles(line) or _perhaps_access(line))


def gives_roles(line: str) -> bool:
    """Whether a line says access and roles in one: `Access: Partner`, `AccessPartner`."""
    letters = _letters(line)
    if (
        len(line) > _LONGEST
        or not any(
            3 * sum(pair in letters for pair in pairs) >= len(pairs) for pairs in _ROLE_PAIRS
        )
        or not _perhaps_ends_with_role(line)
    ):
        return False
    ends = range(3, min(len(line), _TITLE_CHARS + 1))
    return any(_perhaps_access(line[:end]) and reads_like_roles(line[end:]) for end in ends)


def _perhaps_ends_with_role(line: str) -> bool:
    """A quick look: a list of roles behind a title ends with a role, or is one in all."""
    tail = line[_TITLE_CHARS:]
    whole_words = [word for word in map(_letters, _GAP.split(tail)[1:]) if word]
    return (
        not whole_words
        or len(_letters(tail)) <= _LONGEST_ROLE / _ROLE * 2 - _LONGEST_ROLE
        or _names_role(whole_words[-1])
    )


@lru_cache(maxsize=1024)
def _perhaps_access(text: str) -> bool:
    letters = _letters(text)
    return (
        bool(letters)
        and max(_alike(letters, word) for word in ("access", "allowedroles")) >= _PERHAPS
    )


def _names_role(word: str) -> bool:
    return any(_alike(word, role.casefold()) >= _ROLE for role in Role)


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text.casefold())


@lru_cache(maxsize=1024)
def _alike(one: str, other: str) -> float:
    """The similarity of two words, 0 to 1; 0 below every limit here, to skip most pairs early."""
    if len(one) > 2 * len(other) + 2:
        return 0.0
    shared = sum(min(one.count(letter), other.count(letter)) for letter in set(other))
    if 2 * shared < _PERHAPS * (len(one) + len(other)):
        return 0.0
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


_ROLE_PAIRS = tuple(frozenset(map("".join, pairwise(_letters(role)))) for role in Role)
"""Neighbouring letters: a quick look whether a role can be in a line at all."""
