"""Whose share work counts in, and how urgent it is: the agenda schedules by these."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias


class Urgency(IntEnum):
    """How urgent work is; the lowest value starts first."""

    COMMAND = 0
    """Somebody's command or click.

    It is short and needs no slot, because it must be able to stop the turns that fill them.
    """
    REQUEST = 1
    """Somebody waits for the answer."""
    BACKGROUND = 2
    """Nobody waits for the answer. Such work uses no reserved slot."""


@dataclass(frozen=True)
class Share:
    """`owner` is one person in all of their conversations; owners take turns with each other."""

    owner: str
    urgency: Urgency = Urgency.REQUEST


ShareOf: TypeAlias = Callable[[str], Share]
"""The share of a session, derived from its name."""
