"""Approvals: tool calls that wait for a yes; and grants, which cover more than one call.

See docs/rules.md#approvals.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.domain.card_words import About
from bot.domain.json_types import JsonObject
from bot.domain.targets import Stem, Target
from bot.domain.tools import Risk

SHARE = "share_words"
"""Stands in place of a tool's name where somebody shares a text; no tool has this name."""


class ApprovalState(StrEnum):
    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    DONE = "done"


@dataclass(frozen=True)
class Approval:
    """One stored call, byte for byte as the model made it, and who may decide."""

    ref: str
    session: str
    person: str
    """Who asked for it."""
    agent: str
    tool: str
    arguments: JsonObject
    risk: Risk | None
    reason: str
    approver_rank: int
    state: ApprovalState
    asked_at: datetime
    expires_at: datetime
    decided_by: str | None = None
    private: bool = True
    conversation: str = ""
    envelope: JsonObject = field(default_factory=dict[str, object])
    """The message that led to it, as the journal stores it; the outcome is sent back there."""
    session_id: str = ""
    """The session instance that asked; a grant for "this session" ends with it."""
    targets: tuple[Target, ...] = ()
    """What the call acts on, if all of it can be read. "Always for this target" covers these."""
    stems: tuple[Stem, ...] = ()
    """Where the targets came from that neither the person nor a trusted source gave."""
    shown: str = ""
    """Identifies what the person who said yes had seen; the call runs only if it is that."""
    bundle: str = ""
    """The reference of the approval that asks about this call and others of its turn at once."""
    about: About = field(default_factory=About)
    each_time: bool = False
    """Whether its card asks about this call alone, and a yes covers no other one."""


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
