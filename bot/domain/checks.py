"""The findings of `bellhop doctor`."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "error"]


@dataclass(frozen=True)
class Check:
    """The result of one check. Each line of its text is one problem."""

    check: str
    state: State
    text: str
