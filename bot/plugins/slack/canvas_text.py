"""Markdown for canvases in which nothing is loaded and nobody is mentioned.

In a canvas `![](https://…)` shows a page or picture, so that everybody who opens the canvas tells
that server so, and `![](@U…)` calls a person. Both become plain text.
"""

import re

CHANGED = "pictures, previews and mentions became plain text"
_BARE = re.compile(r"!\[\]\(([^()\s]*)\)")
_FENCE = re.compile(r"```[^`]*")


def quiet(markdown: str) -> tuple[str, bool]:
    """The text without what loads or mentions, and whether that changed it.

    Code between fences stays as it is.
    """
    lines = markdown.split("\n")
    shown = [
        line if code else _quiet_line(line) for line, code in zip(lines, _code(lines), strict=True)
    ]
    return "\n".join(shown), shown != lines


def _quiet_line(line: str) -> str:
    return _BARE.sub(r"\1", line).replace("![", "! [")


def _code(lines: list[str]) -> list[bool]:
    """For each line, whether it stands between two fences that every reader takes for such."""
    inside = [False] * len(lines)
    begin: int | None = None
    for number, line in enumerate(lines):
        if begin is None:
            begin = number if _FENCE.fullmatch(line) else None
        elif line.rstrip() == "```":
            inside[begin + 1 : number] = [True] * (number - begin - 1)
            begin = None
    return inside
