"""Grants: a yes that holds for more than the one call it was given for.

See docs/rules.md#approvals.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.targets import Target


class GrantScope(StrEnum):
    SESSION = "session"
    """Until the session ends in which the call was made."""
    TARGET = "target"
    """Always, for calls that act on nothing but these targets."""


@dataclass(frozen=True)
class Grant:
    """Spares one person the question about one tool, within the scope.

    It gives no right that they lack without it.
    """

    ref: str
    person: str
    tool: str
    scope: GrantScope
    session_id: str
    targets: frozenset[Target]
    rank: int
    """Of who gave it: it stands for no question that only somebody above may answer."""
    made_by: str
    made_at: datetime
    approval: str
    revoked_at: datetime | None = None
