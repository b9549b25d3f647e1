"""Bounded JSON and JSON5: depth and size are checked on the text, before a parser sees it."""

import json
from typing import Any, cast

from bot.workshop.review.findings import shown

MOST_DEPTH = 40
JSON5_CHARS = 16 * 1024


class BadJson(ValueError):
    """What is wrong with a text, and on which of its lines (from 1)."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def read_json(text: str) -> Any:
    """Strict JSON. Raises BadJson."""
    _check_depth(text)
    try:
        return plain(json.loads(text, parse_constant=_no_constant))
    except json.JSONDecodeError as error:
        raise BadJson(
            f"is not valid JSON ({error.msg}, column {error.colno})", error.lineno
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadJson(f"is not valid JSON ({shown(str(error))})") from None


def read_json5(text: str) -> Any:
    """JSON as people write it in front matter: comments, single quotes, commas at the end.

    Raises BadJson.
    """
    if len(text) > JSON5_CHARS:
        raise BadJson(f"has {len(text):,} characters, at most {JSON5_CHARS:,} are read")
    _check_depth(text)
    import json5  # noqa: PLC0415 - only what is imported needs it

    try:
        return plain(json5.loads(text, allow_duplicate_keys=True))
    except (ValueError, RecursionError, OverflowError) as error:
        raise BadJson(f"is not valid JSON5 ({shown(str(error))})") from None


def plain(value: Any, depth: int = 0) -> Any:
    """The value with text as its only keys and nothing that JSON has no word for.

    Raises BadJson when too deep.
    """
    if depth > MOST_DEPTH:
        raise BadJson(f"is nested more than {MOST_DEPTH} levels deep")
    if isinstance(value, dict):
        return {
            _text(str(key)): plain(item, depth + 1)
            for key, item in cast("dict[Any, Any]", value).items()
        }
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in cast("list[Any]", value)]
    if isinstance(value, float) and (value != value or value in {float("inf"), float("-inf")}):  # noqa: PLR0124 - NaN
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 1 << 63:
        return f"{value:#x}"
    if value is None or isinstance(value, bool | int | float):
        return value
    return _text(str(value))


def _text(text: str) -> str:
    """Without half characters, which no file could hold."""
    return text.encode("utf-8", "replace").decode()


def _check_depth(text: str) -> None:
    depth, quote, skip = 0, "", False
    line = 1
    for char in text:
        line += char == "\n"
        if skip or char == "\\":
            skip = not skip
        elif quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "[{":
            depth += 1
            if depth > MOST_DEPTH:
                raise BadJson(f"is nested more than {MOST_DEPTH} levels deep", line)
        elif char in "]}":
            depth -= 1


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
