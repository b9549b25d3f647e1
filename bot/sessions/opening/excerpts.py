"""The part of a long text that a request shows: its beginning, its outline and its end."""

import re

WHOLE_CHARS = 16_000
"""A text up to this length is shown whole; of a longer one a request holds less."""
HEAD_CHARS = 6_000
END_CHARS = 3_000
"""Totals, signatures and new log lines stand at the end."""
OUTLINE_HEADINGS = 60
OUTLINE_LINES = 24
_LINE_CHARS = 100
_LINE_BREAK_WITHIN = 1_000
"""The beginning ends with a whole line if one ends in its last characters."""
_HEADING = re.compile(r"#{1,4} \S")


def excerpt(name: str, text: str, path: str = "", why: str = "") -> str:
    """A long text in part, with the way to the rest.

    `path` has the whole text. `why` says why nothing has it.
    """
    head, end = _head(text), _end(text)
    first, last = head.count("\n") + 1, text.count("\n", 0, len(text) - len(end)) + 1
    missing = len(text) - len(head) - len(end)
    between = _outline(text, first, last)
    parts = [
        f"{name} ({len(text):,} characters, {_lines_of(text):,} lines). Its beginning:",
        head.rstrip("\n"),
        f"[cut: {missing:,} characters in lines {first}-{last} are not shown here]",
    ]
    parts += [f"Lines among them, by number:\n{between}"] if between else []
    parts += [f"Its end, from line {last}:", end.rstrip("\n")]
    parts.append(_rest(head, first, path, why))
    return "\n".join(part for part in parts if part)


def _rest(head: str, first: int, path: str, why: str) -> str:
    if not path:
        return f"[its rest was not kept: {why}]" if why else ""
    skip = len(head) - head.rfind("\n") - 1
    where = f"offset {first}" + (f", skip {skip}" if skip else "")
    return (
        f'[cut: the whole is {path}. To find something in it call search with in "{path}", which '
        f"gives its lines; read_file with {where} goes on in it]"
    )


def _head(text: str) -> str:
    ends = text.rfind("\n", HEAD_CHARS - _LINE_BREAK_WITHIN, HEAD_CHARS)
    return text[: ends + 1] if ends >= 0 else text[:HEAD_CHARS]


def _end(text: str) -> str:
    begins = text.find("\n", len(text) - END_CHARS, len(text) - END_CHARS + _LINE_BREAK_WITHIN)
    return text[begins + 1 :] if begins >= 0 else text[-END_CHARS:]


def _lines_of(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


def _outline(text: str, first: int, last: int) -> str:
    """Headings between two lines (from 1), or lines at equal distances where there are none."""
    lines = text.split("\n")
    between = range(first + 1, last)
    found = [number for number in between if _HEADING.match(lines[number - 1])]
    most = OUTLINE_HEADINGS
    if not found:
        most = OUTLINE_LINES
        found = [number for number in between if lines[number - 1].strip()]
    step = max(1, -(-len(found) // most))
    return "\n".join(f"{number}: {_short(lines[number - 1])}" for number in found[::step])


def _short(line: str) -> str:
    words = " ".join(line[: 4 * _LINE_CHARS].split())
    return words if len(words) <= _LINE_CHARS else f"{words[: _LINE_CHARS - 1]}…"
