"""What a check of an installation found."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "error"]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at; a text of several lines names several problems of it."""

    check: str
    state: State
    text: str
