"""Characters invisible to a reviewer but read by a model: zero width, bidi, tags, controls."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_ZERO_WIDTH = frozenset(
    map(
        chr,
        (
            0xAD,
            0x34F,
            0x115F,
            0x1160,
            0x17B4,
            0x17B5,
            0x180E,
            0x200B,
            0x2060,
            0x3164,
            0xFEFF,
            0xFFA0,
        ),
    )
) | frozenset(map(chr, (*range(0x2061, 0x2065), *range(0x206A, 0x2070), *range(0xFFF9, 0xFFFC))))
_BIDI = frozenset(map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
_JOINERS = frozenset("\u200c\u200d")
_TEXT = frozenset("\t\n")


@dataclass(frozen=True)
class Hidden:
    """Characters of one kind on one line.

    `says`: what tag characters spell, when they spell something.
    """

    kind: str
    count: int
    column: int
    says: str = ""


def hidden_on(line: str) -> tuple[Hidden, ...]:
    """The hidden characters of a line; fast for the usual line without any."""
    if line.isascii() and line.isprintable():
        return ()
    counts: dict[str, list[int]] = {}
    spelt: list[str] = []
    for position, kind in _kinds(line):
        counts.setdefault(kind, []).append(position)
        if kind == "tag":
            spelt.append(chr(ord(line[position]) - 0xE0000))
    says = "".join(char for char in spelt if char.isprintable())
    return tuple(
        Hidden(kind, len(where), where[0] + 1, says if kind == "tag" else "")
        for kind, where in counts.items()
    )


def _kinds(line: str) -> Iterator[tuple[int, str]]:
    for position, char in enumerate(line):
        if " " <= char <= "~" or char in _TEXT:
            continue
        kind = _kind(line, position, char)
        if kind:
            yield position, kind


def _kind(line: str, position: int, char: str) -> str:
    code = ord(char)
    if char in _ZERO_WIDTH:
        return "zero-width"
    if char in _BIDI:
        return "bidirectional"
    if 0xE0000 <= code <= 0xE007F:
        return "" if _in_flag(line, position) else "tag"
    if 0xE0100 <= code <= 0xE01EF:
        return "variation selector"
    if 0xFE00 <= code <= 0xFE0F:
        return "" if position and _takes_selector(line[position - 1]) else "variation selector"
    if char in _JOINERS:
        return "" if _joins(line, position) else "zero-width"
    category = unicodedata.category(char)
    return {"Cc": "control", "Co": "private-use", "Cs": "broken", "Cf": "format"}.get(category, "")


def _in_flag(line: str, position: int) -> bool:
    """Tags spell the flags of a few countries, after a black flag and at most six of them."""
    start = line.rfind("\U0001f3f4", max(0, position - 7), position)
    return start >= 0 and all(
        0xE0000 <= ord(char) <= 0xE007F for char in line[start + 1 : position]
    )


def _takes_selector(char: str) -> bool:
    return (
        unicodedata.category(char) in {"So", "Sm", "Lo", "Po"} or char in "0123456789#*©®‼⁉™\u2139↔"
    )


def _joins(line: str, position: int) -> bool:
    """Joiners belong between emoji and inside scripts that need them, not beside ASCII."""
    before, after = line[position - 1 : position], line[position + 1 : position + 2]
    if not before or not after or before.isascii() or after.isascii():
        return False
    return (
        unicodedata.category(before) in {"So", "Sk", "Mn", "Mc", "Lo"}
        and after not in _ZERO_WIDTH | _JOINERS
    )
