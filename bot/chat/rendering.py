"""Cuts a long markdown answer into pieces that fit a platform, without breaking code blocks."""

import re
from dataclasses import dataclass

SMALLEST_LIMIT = 20
"""Below this there is no room for a re-opened code fence beside the text."""

_MARKER = re.compile(r" *(?P<marker>`{3,}|~{3,})(?P<info>[^\n]*)")
_SENTENCE_END = re.compile(r"[.!?…]['\")\]]*\s|[。！？]")  # noqa: RUF001 - full-width marks end sentences too


@dataclass(frozen=True)
class Piece:
    """A stretch of the original text; the bodies of all pieces, joined, are the original."""

    body: str
    opening: str = ""
    """Re-opens a code block that the previous piece had to close."""
    closing: str = ""

    @property
    def text(self) -> str:
        return f"{self.opening}{self.body}{self.closing}"


@dataclass(frozen=True)
class _Fence:
    start: int
    inner: int
    """First character after the opening line."""
    close: int
    """Start of the closing line; the end of the text when there is none."""
    end: int
    """End of the closing line, without its newline."""
    marker: str
    line: str


_ROW = re.compile(r" {0,3}\|?.*\|.*")
_RULE = re.compile(r" {0,3}\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?\|?\s*")


def tables_as_code(text: str) -> str:
    """For surfaces without tables: each markdown table as a code block with columns."""
    lines, shown = text.split("\n"), list[str]()
    fences = _find_fences(text, len(text) + 1)
    position = number = 0
    while number < len(lines):
        line = lines[number]
        rule = lines[number + 1] if number + 1 < len(lines) else ""
        inside = any(fence.start <= position < fence.end for fence in fences)
        if inside or not (_ROW.fullmatch(line) and "|" in rule and _RULE.fullmatch(rule)):
            shown.append(line)
            position, number = position + len(line) + 1, number + 1
            continue
        end = number + 2
        while end < len(lines) and _ROW.fullmatch(lines[end]):
            end += 1
        shown += _as_code([line, *lines[number + 2 : end]])
        position += sum(len(one) + 1 for one in lines[number:end])
        number = end
    return "\n".join(shown)


def _as_code(rows: list[str]) -> list[str]:
    """The rows with their columns under each other, the first row underlined."""
    cells = [
        [_plain_cell(cell) for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
        for row in rows
    ]
    columns = max(map(len, cells))
    padded = [[*row, *[""] * (columns - len(row))] for row in cells]
    widths = [max(len(row[column]) for row in padded) for column in range(columns)]
    written = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in padded
    ]
    return [
        "```",
        written[0],
        "  ".join("-" * max(width, 1) for width in widths),
        *written[1:],
        "```",
    ]


def _plain_cell(cell: str) -> str:
    """A cell's text for a code block, where marks and escapes would appear literally."""
    return cell.strip().replace("\\|", "|").replace("**", "").replace("```", "` ` `")


def split_text(text: str, limit: int) -> list[str]:
    """Cut markdown into texts of at most `limit` characters, in order; blank ones are left out.

    Cuts at the end of a paragraph, else of a line, a sentence, a word, else anywhere. A code block
    that is cut is closed and opened again with its language. Raises ValueError when `limit` is
    below `SMALLEST_LIMIT`.
    """
    return [piece.text for piece in split_pieces(text, limit) if piece.text.strip()]


def split_pieces(text: str, limit: int) -> list[Piece]:
    """Like `split_text`, but separates the text's own characters from added ones."""
    if limit < SMALLEST_LIMIT:
        raise ValueError(
            f"a limit of {limit} characters is too small; at least {SMALLEST_LIMIT} are needed"
        )
    fences = _find_fences(text, limit // 4)
    pieces: list[Piece] = []
    start, opening = 0, ""
    while start < len(text):
        piece, open_fence = _next_piece(text, start, opening, limit, fences)
        pieces.append(piece)
        start += len(piece.body)
        opening = f"{open_fence.line}\n" if open_fence is not None else ""
    return pieces


def tail_of(text: str, size: int) -> str:
    """About the last `size` characters, from a line start, with an open code block reopened."""
    if len(text) <= size:
        return text
    cut = text.find("\n", len(text) - size) + 1 or len(text) - size
    fence = _open_at(cut, _find_fences(text, size))
    return f"{fence.line}\n{text[cut:]}" if fence is not None else text[cut:]


def _next_piece(
    text: str, start: int, opening: str, limit: int, fences: list[_Fence]
) -> tuple[Piece, _Fence | None]:
    room = limit - len(opening)
    while True:
        cut = _around_fences(start, _cut(text, start, room), room, fences)
        body = text[start:cut]
        fence = None if cut == len(text) else _open_at(cut, fences)
        closing = (
            "" if fence is None else f"{'' if body.endswith(chr(10)) else chr(10)}{fence.marker}"
        )
        excess = len(opening) + len(body) + len(closing) - limit
        if excess <= 0:
            return Piece(body, opening, closing), fence
        room = min(room, len(body)) - excess


def _cut(text: str, start: int, room: int) -> int:
    """The end of the piece that starts here, before fences are considered."""
    end = start + room
    if end >= len(text):
        return len(text)
    window = text[start:end]
    candidates = (
        (window.rfind("\n\n") + 2, room // 2),
        (window.rfind("\n") + 1, room // 3),
        (_last_sentence(window), room // 3),
        (max(window.rfind(" "), window.rfind("\n"), window.rfind("\t")) + 1, 1),
    )
    for length, least in candidates:
        if length > 1 and length >= least:
            return start + length
    return _hard_cut(text, start, end)


def _last_sentence(window: str) -> int:
    return max((match.end() for match in _SENTENCE_END.finditer(window)), default=0)


def _hard_cut(text: str, start: int, end: int) -> int:
    """Never between the two halves of a surrogate pair, should a text carry them."""
    splits_pair = "\ud800" <= text[end - 1] <= "\udbff" and "\udc00" <= text[end] <= "\udfff"
    return end - 1 if splits_pair and end - 1 > start else end


def _around_fences(start: int, cut: int, room: int, fences: list[_Fence]) -> int:
    """Move a cut off a fence's own lines, and away from an empty code block."""
    for fence in fences:
        if fence.start < cut <= fence.inner and fence.inner > fence.start:
            return fence.start if fence.start > start else max(cut, fence.inner)
        if fence.close <= cut < fence.end:
            return fence.end if fence.end - start <= room else fence.close
    return cut


def _open_at(cut: int, fences: list[_Fence]) -> _Fence | None:
    return next((fence for fence in fences if fence.inner <= cut < fence.end), None)


def _find_fences(text: str, longest_line: int) -> list[_Fence]:
    """The code blocks, in order.

    Marker lines longer than `longest_line` are taken as ordinary text.
    """
    fences: list[_Fence] = []
    opened: tuple[int, int, str, str] | None = None
    position = 0
    for bare in text.split("\n"):
        match = _MARKER.match(bare) if len(bare) <= longest_line else None
        end = position + len(bare)
        if match is not None and opened is None and _opens(match):
            opened = (position, min(end + 1, len(text)), match["marker"], bare)
        elif match is not None and opened is not None and _closes(match, opened[2]):
            fences.append(_Fence(opened[0], opened[1], position, end, opened[2], opened[3]))
            opened = None
        position = end + 1
    if opened is not None:
        fences.append(_Fence(opened[0], opened[1], len(text), len(text), opened[2], opened[3]))
    return fences


def _opens(match: re.Match[str]) -> bool:
    return match["marker"][0] == "~" or "`" not in match["info"]


def _closes(match: re.Match[str], marker: str) -> bool:
    return match["marker"].startswith(marker) and not match["info"].strip()
