"""Summaries of past conversations: one per session, and one per compacted part."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.domain.access import Role
from bot.domain.origins import Trust
from bot.domain.privacy import Learned


class Depth(StrEnum):
    """How technical a conversation was."""

    CASUAL = "casual"
    MODERATE = "moderate"
    EXPERT = "expert"


class Resolution(StrEnum):
    """What a conversation came to."""

    RESOLVED = "resolved"
    PARTIAL = "partial"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True)
class ToolUse:
    """A tool that was used, and what for."""

    name: str
    purpose: str = ""


@dataclass(frozen=True)
class SummaryFields:
    """What a summary says. WIH, WIS and WID are what the assistant heard, said and did."""

    intent: str
    wih: str = ""
    wis: str = ""
    wid: str = ""
    technical_depth: Depth = Depth.MODERATE
    user_mood: str = ""
    significance: int = 2
    """1 transient to 5 foundational."""
    relationship_notes: str = ""
    active_goals: Sequence[str] = ()
    tools_used: Sequence[ToolUse] = ()
    outcome: Resolution = Resolution.PARTIAL
    facts_learned: Sequence[str] = ()
    preferences_noted: Sequence[str] = ()
    errors_encountered: Sequence[str] = ()
    follow_up: str = ""

    @property
    def forgettable(self) -> bool:
        """Whether it is small talk that left nothing to remember."""
        left = (
            self.active_goals, self.tools_used, self.facts_learned, self.preferences_noted,
            self.errors_encountered, self.relationship_notes, self.follow_up,
        )  # fmt: skip
        return self.significance == 1 and not any(left)


@dataclass(frozen=True)
class ConversationSummary:
    """A summary with whose it is, where it was learned, and how far its source can be trusted."""

    id: str
    """The tag `src:` of the memory entries that are distilled from it."""
    session_id: str
    epoch: int
    person: str
    role: Role
    """The person's role in that session."""
    agent: str
    conversation: str
    """Key of the conversation."""
    learned: Learned
    trust: Trust
    """The least trusted text that the session had read."""
    began_at: datetime
    ended_at: datetime
    fields: SummaryFields
    by_model: bool = True
    """False: made without a model, from what was typed and called."""
    tools: Sequence[str] = field(default=())
    """Names of the tools that were called, in the order of their first call."""
    distilled: bool = False
    to_share: Sequence[str] = ()
    """What the person expressly wanted everybody to know, in their own words."""
