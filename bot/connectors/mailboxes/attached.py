"""The file that is attached to a mail, as a service hands it over."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.connectors.accounts import plain_line
from bot.errors import ToolError

MOST_ANSWER_BYTES = 45_000_000
"""An answer that holds the largest file, in base64."""

NAME_CHARS = 100


@dataclass(frozen=True)
class AttachedToMail:
    """A whole file, as its sender names it."""

    name: str
    media_type: str
    data: bytes


def from_base64(data: Any) -> bytes:
    """A file in a service's answer, in either alphabet. Raises ToolError."""
    text = str(data or "").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise ToolError(
            "the attached file can't be read: the service's answer is broken"
        ) from error


def require_name(name: str, names: Sequence[str]) -> int:
    """Which of these names is meant. Raises ToolError, naming those that there are."""
    shown = [plain_line(one, NAME_CHARS) for one in names]
    if name in shown:
        return shown.index(name)
    there = ", ".join(shown[:20]) or "none"
    raise ToolError(
        f"attachment: no file of that name is attached to this mail; there are: {there}"
    )
