"""How messages about arguments name a place and what was not expected there."""

from collections.abc import Mapping
from typing import Any


def path_text(parts: Any) -> str:
    """A place in the arguments: `items[1].id`."""
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text


def unexpected(names: list[str], known: Mapping[str, Any]) -> str:
    """The message about undeclared arguments."""
    shown = ", ".join(repr(name[:64]) for name in names[:5]) + (
        f" and {len(names) - 5} more" if len(names) > 5 else ""
    )
    were = "was" if len(names) == 1 else "were"
    return f"{shown} {were} unexpected (known arguments: {', '.join(known) or 'none'})"
