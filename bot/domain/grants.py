"""Grants: approvals that cover more than one call.

See docs/rules.md#approvals.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.targets import Target


class GrantScope(StrEnum):
    SESSION = "session"
    """Until the call's session ends."""
    TARGET = "target"
    """Always, for calls that act only on these targets."""


@dataclass(frozen=True)
class Grant:
    """Lets one person use one tool without a question, within the scope.

    It gives no right that they would not have with a yes.
    """

    ref: str
    person: str
    tool: str
    scope: GrantScope
    session_id: str
    targets: frozenset[Target]
    rank: int
    """The rank of the giver. The grant answers no question that needs a higher rank."""
    made_by: str
    made_at: datetime
    approval: str
    revoked_at: datetime | None = None
