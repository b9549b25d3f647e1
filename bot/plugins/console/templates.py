"""Fills in the pages. Everything that is filled in is escaped, and nothing of it hides."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters, those that turn around what stands beside them, and what nobody sees.

Joiners, marks of direction and selectors are left: emoji, Persian and Hebrew need them.
"""
_NANO = 1_000_000_000
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_told,
    )
    filters: dict[str, Any] = cast("Any", made.filters)
    filters.update(money=money, lasted=lasted, cut=cut, urlencode=encoded)
    cast("dict[str, Any]", made.globals)["spent"] = spent
    return made


def fill(name: str, values: Mapping[str, Any]) -> str:
    """The page `pages/<name>.html`."""
    return _environment().get_template(f"{name}.html").render(values)


def _told(value: object) -> object:
    """Whatever is filled in; markup of ours, which has its own type, stays as it is."""
    return told(value) if type(value) is str else value


def told(text: str) -> str:
    """The text; characters that could hide, or turn it around, by their numbers."""
    return _HIDDEN.sub(_numbered, text)


def _numbered(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def encoded(value: str | Mapping[str, str]) -> str:
    """For a part of an address, or for its query."""
    if isinstance(value, str):
        return quote(value, safe="", errors="replace")
    return urlencode(value, errors="replace")


def money(nano: int) -> str:
    return f"${nano / _NANO:,.2f}" if nano >= _NANO // 10 or not nano else f"${nano / _NANO:.4f}"


def spent(nano: int, unpriced: object) -> str:
    """What calls cost, of which some may have no known price."""
    if not unpriced:
        return money(nano)
    return f"over {money(nano)}" if nano else "unknown"


def lasted(ms: float | None) -> str:
    """A duration: `340 ms`, `2.1 s`, `3 min 5 s`, `4 h 10 min`, `2 d 3 h`."""
    if ms is None:
        return ""
    seconds = ms / 1000
    if seconds < 1:
        return f"{round(ms)} ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    for unit, size, small, part in (
        ("d", _DAY, "h", _HOUR),
        ("h", _HOUR, "min", _MINUTE),
        ("min", _MINUTE, "s", 1),
    ):
        if whole >= size:
            return f"{whole // size} {unit} {whole % size // part} {small}"
    return f"{whole} s"


def spoken(moment: datetime | None, zone: str, now: datetime) -> str:
    """A moment in somebody's zone: the time alone on the same day."""
    if moment is None:
        return ""
    there = _zone(zone)
    local, today = moment.astimezone(there), now.astimezone(there)
    if local.date() == today.date():
        return f"{local:%H:%M:%S}"
    return f"{local:%Y-%m-%d %H:%M}"


def cut(text: str, chars: int) -> str:
    """One line, shortened."""
    folded = " ".join(text.split())
    return folded if len(folded) <= chars else f"{folded[: chars - 1]}…"


def _zone(name: str) -> ZoneInfo | Any:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
